/// More texts of real columns, each with the value that a person reads in it; `-` where a person could not be
/// certain either, or where the program says that it does not know.
///
/// Drawn by chance, with another seed, from what `writtenSample` had left. Each was read by a second reader
/// before the program was asked, then compared. Rows of columns and values of 31 lunar years were read,
/// too, and do not stand here. Facts written anew, from the sources of `writtenSample`.
let secondWrittenSample = #"""
  closing | 월요일 법정공휴일 | "hours not stated"; Mo,PH off
  closing | 월+수+금+토+일+법정공휴일 | "hours not stated"; Mo,We,Fr-Su,PH off
  closing | 매주 월요일+국가공휴일 | "hours not stated"; Mo,PH off
  closing | 일+월+공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주화요일+법정공휴일 | "hours not stated"; Tu,PH off
  closing | 첫째 월 + 셋째 월 + 일요일을제외한국가지정공휴일 | "hours not stated"; Su PH "일요일"; Mo[1,3] off; Mo-Sa PH off
  closing | 일+법정공휴일(토요일, 일요일 겹친 경우 휴관)+특별한 사유로 관장이 지정한 날(임시휴관일) | "hours not stated"; Su,PH off
  closing | 국가지정공휴일(일요일제외) | "hours not stated"; Su PH "일요일"; Mo-Sa PH off
  closing | 금(첫째 주+ 셋째 주)+국가지정공휴일 | "hours not stated"; Fr[1,3],PH off
  closing | 일+월+국가지정 공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매월 첫 번째 월요일, 일요일을 제외한 법정공휴일 | "hours not stated"; Su PH "일요일"; Mo[1] off; Mo-Sa PH off
  closing | 월+법정공휴일+국경일+특별한 사유로 관장이 지정한 날 | "hours not stated"; Jul 17 "국경일"; Mo,PH off; Mar 01,Aug 15,Oct 03,Oct 09 off
  closing | 월+법정공휴일(일요일제외) | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 매주 월요일 「관공서의 공휴일에 관한 규정」에서 정한 공휴일(단 일요일이 관공서의 기타 공휴일과 겹치는 경우 휴관) 도서 및 시설물의 정리 수리 기타 사유로 휴관이 불가피한 경우 관장이 지정하여 공고하는 날 | -
  closing | 일+월+법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주일요일+매주월요일 | "hours not stated"; Mo,Su off
  closing | 매주금요일+법정공휴일 | "hours not stated"; Fr,PH off
  closing | 법정공휴일+월 | "hours not stated"; Mo,PH off
  closing | 월+일요일이 아닌 관공서의 휴일+특별한 사유로 관장이 지정한 날 | -
  closing | 매주 일+국가지정공휴일 | "hours not stated"; Su,PH off
  closing | 첫째 주 월+셋째 주 월+국가지정공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 첫째 주 월+셋째 주 월+일요일을 제외한 관공서의 공휴일 | "hours not stated"; Su PH "일요일"; Mo[1,3] off; Mo-Sa PH off
  closing | 월+일+법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 월+국가지정공휴일+대청소일(12.30.~12.31.) | "hours not stated"; Mo,PH off; Dec 30-Dec 31 off
  closing | 매주 토요일, 매주일요일, 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 매주월요일+매주일요일+국가지정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 둘째 주 월+넷째 주 월+일요일을 제외한 법정공휴일+법정공휴일과 겹치는 일요일 | "hours not stated"; Mo[2,4],PH off; Su PH off
  closing | 목+법정공휴일 | "hours not stated"; Th,PH off
  closing | 월+일요일을제외한관공서의공휴일 | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 매주토요일+공휴일 | "hours not stated"; Sa,PH off
  closing | 일+관공서의 공휴일+특별한 사유로 분원장이 지정한 날 | "hours not stated"; Su,PH off
  closing | 토,일요일       법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 화+목+금+토+일+법정공휴일 | "hours not stated"; Tu,Th-Su,PH off
  closing | 일+공휴일 | "hours not stated"; Su,PH off
  closing | 매주 월, 화요일, 국가지정 공휴일 | "hours not stated"; Mo,Tu,PH off
  closing | 일+첫째 주 월+첫째 주 토+셋째 주 토+다섯째 주 토+법정공휴일 | "hours not stated"; Su,Mo[1],Sa[1,3,5],PH off
  closing | 월+화+수+목+금+토 | "hours not stated"; Mo-Sa off
  closing | 매주 토ㆍ일요일+국가지정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 월요일+일요일+공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주 월+일+법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 화+목+금+일 | "hours not stated"; Tu,Th,Fr,Su off
  closing | 일+국가지정 공휴일 | "hours not stated"; Su,PH off
  closing | 법정공휴일+일 | "hours not stated"; Su,PH off
  closing | 매주 일,월요일 및 법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 화+토+일+법정공휴일 | "hours not stated"; Tu,Sa,Su,PH off
  closing | 금(둘째 주 + 넷째 주)+국가지정공휴일 | "hours not stated"; Fr[2,4],PH off
  closing | 넷째 주 금요일+법정공휴일 | "hours not stated"; Fr[4],PH off
  closing | 월+공휴일 | "hours not stated"; Mo,PH off
  closing | 매주월요일+토요일+일요일+국가지정공휴일 | "hours not stated"; Mo,Sa,Su,PH off
  closing | 월+국가지정 공휴일 | "hours not stated"; Mo,PH off
  closing | 매주  금요일, 법정 공휴일 | "hours not stated"; Fr,PH off
  closing | 매월마지막주금요일+법정공휴일 | "hours not stated"; Fr[-1],PH off
  closing | 토 | "hours not stated"; Sa off
  closing | 매주금요일+국가지정공휴일+대청소일(12.30.~12.31.) | "hours not stated"; Fr,PH off; Dec 30-Dec 31 off
  closing | 첫째 월+셋째 월+국가지정 공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 목, 일요일/법정공휴일 | "hours not stated"; Th,Su,PH off
  closing | 매주 일요일 | "hours not stated"; Su off
  closing | 매월첫째셋째월요일+정부지정공휴일 | "hours not stated"; Su "일요일"; Mo[1,3],PH off
  closing | 월+토+일+공휴일 | "hours not stated"; Mo,Sa,Su,PH off
  closing | 월,토요일 법정공휴일 | "hours not stated"; Mo,Sa,PH off
  closing | 둘째 주 월+넷째 주 월+법정공휴일 | "hours not stated"; Mo[2,4],PH off
  closing | 없음 | "hours not stated"
  closing | 월요일+관공서의 공휴일 | "hours not stated"; Su "일요일"; Mo,PH off
  closing | 매주 월+국가지정공휴일 | "hours not stated"; Mo,PH off
  closing | 토,일, 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 금+법정공휴일(단, 일요일과 겹치는 경우 휴관)+시설의 보수 및 점검·그 밖의 사유로 군수가 필요하다고 인정하는 경우 | "hours not stated"; Fr,PH off
  closing | 월요일+공휴일 | "hours not stated"; Mo,PH off
  closing | 매주월요일+매주화요일+매주수요일+매주목요일+매주금요일 | "hours not stated"; Mo-Fr off
  closing | 매주월요일 + 국가지정공휴일 | "hours not stated"; Mo,PH off
  closing | 일+1월1일+설+추석+법정공휴일 | "hours not stated"; Su,PH off; Jan 01 off
  closing | 월,공휴일(일요일을 제외+일요일과 관공서의 공휴일이 겹치는 경우 휴관) | "hours not stated"; Mo,PH off
  closing | 토요일, 일요일, 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 토+일+법정 공휴일+근로자의 날+성북문화재단 창립기념일(매년 9월 1일) | "hours not stated"; Sa,Su,PH off; Sep 01 off; May 01 off
  closing | 셋째 주 월+토+일+법정공휴일 | "hours not stated"; Sa,Su,Mo[3],PH off
  closing | 화+목+토+일+공휴일 | "hours not stated"; Tu,Th,Sa,Su,PH off
  closing | 토요일+일요일+공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 화+공휴일 | "hours not stated"; Tu,PH off
  closing | 매월 둘째,넷째 월요일, 일요일 제외한 법정공휴일 | "hours not stated"; Su PH "일요일"; Mo[2,4] off; Mo-Sa PH off
  closing | 둘째 주 화+넷째 주 화+공휴일 | "hours not stated"; Tu[2,4],PH off
  closing | 첫째주월요일+셋째주월요일+일요일을제외한법정공휴일(단,일요일이공휴일인경우휴관)+근로자의날+성북문화재단창립기념일(매년 9월 1일) | "hours not stated"; Mo[1,3],PH off; Sep 01 off; May 01 off
  closing | 수요일 일요일 | "hours not stated"; We,Su off
  closing | 금요일+국가지정 공휴일 | "hours not stated"; Fr,PH off
  closing | 토+일요일+법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 둘째 주 월+넷째 주 월+공휴일 | "hours not stated"; Mo[2,4],PH off
  closing | 매주토요일, 매주일요일 | "hours not stated"; Sa,Su off
  closing | 첫째 주 월+셋째 주 월+법정공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 월+법정공휴일 및 국경일+대체공휴일+특별한 사유로 관장이 지정한 날 | "hours not stated"; Jul 17 "국경일"; Mo,PH off; Mar 01,Aug 15,Oct 03,Oct 09 off
  closing | 매주 화요일 | "hours not stated"; Tu off
  closing | 매주 수요일+일요일을 제외한 법정공휴일 | "hours not stated"; Su PH "일요일"; We off; Mo-Sa PH off
  closing | 월+국가지정공휴일(열람실은 연중무휴) | -
  closing | 화요일+법정공휴일 | "hours not stated"; Tu,PH off
  closing | 화+목+법정공휴일 | "hours not stated"; Tu,Th,PH off
  closing | 첫째,셋째주 월+국가지정공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 매월 두 번째 월요일, 일요일을 제외한 법정공휴일 | "hours not stated"; Su PH "일요일"; Mo[2] off; Mo-Sa PH off
  closing | 일+수+법정공휴일 | "hours not stated"; We,Su,PH off
  closing | 토+일+월+법정공휴일 | "hours not stated"; Mo,Sa,Su,PH off
  closing | 일요일, 월요일, 법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 월+목 | "hours not stated"; Mo,Th off
  closing | 주말+ 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 금+국가지정공휴일+대청소일(12.30.~12.31.) | "hours not stated"; Fr,PH off; Dec 30-Dec 31 off
  closing | 둘째 주 월+국가지정공휴일 | "hours not stated"; Mo[2],PH off
  closing | 월 | "hours not stated"; Mo off
  closing | 매주 토요일 | "hours not stated"; Sa off
  closing | 금+국가지정공휴일+개관기념일 | "개관기념일"; Fr,PH off
  closing | 토+국가지정 공휴일 | "hours not stated"; Sa,PH off
  closing | 매주 화요일+일요일 | "hours not stated"; Tu,Su off
  closing | 금+토+일+공휴일 | "hours not stated"; Fr-Su,PH off
  closing | 목 | "hours not stated"; Th off
  closing | 매주 월요일+국가지정공휴일+울산도서관장이 필요하다고 인정하는 경우 | "hours not stated"; Mo,PH off
  closing | 매주 월+공휴일(일요일 제외) | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 月曜（祝日の場合は翌日休）・1月1日より正月休み有 | -
  closing | 土曜・日曜・祝日　※土曜はお問合せください | -
  closing | 土曜・日曜・祝日（土曜は不定期営業） | -
  closing | 日曜・8/14～16・年始 | -
  closing | 年中無休（年末年始を除く） | -
  closing | 毎月第2火曜（7・8月を除く）年始（1月1日～4日）3月31日、9月30日 | -
  closing | 日曜・会社指定休日あり | -
  closing | 火曜（7～8月は無休） | -
  closing | 日曜（祝日・年末は営業）・臨時休業あり | -
  hours | 7:00～17:30/冬期7:00～16:30（土曜・日曜・祝日は6:00～） | -
  hours | 10:00～15:00 | 10:00-15:00
  hours | 9:00～17:30 | 09:00-17:30
  hours | 6:00～23:00　冬季7:00～23:00　土日・祝祭日は30分繰り上げて営業（天候等諸事情により閉店を早める場合あり。詳しくはブログ参照） | -
  hours | 8:00～16:30 | 08:00-16:30
  hours | 9:30～18:00(LO.17：00) | 09:30-18:00
  hours | 9:00～17:00 | 09:00-17:00
  hours | 平日10:00～18:00　土日祝　9:00～17：00 | Mo-Fr 10:00-18:00; Sa,Su,PH 09:00-17:00
  hours | 10:00～18:00 | 10:00-18:00
  hours | 平日12：00～17:30　土曜11：00～17:30 | Mo-Fr 12:00-17:30; Sa 11:00-17:30; Mo-Fr PH "hours not stated"
  hours | 8:45～17：00 | 08:45-17:00
  hours | 13:30～15:30　（年末はお早めに要予約） | -
  hours | 9:00～16:30 | 09:00-16:30
  hours | 9:00～19:00 | 09:00-19:00
  hours | 9：00～17:00 | 09:00-17:00
  hours | 営業開始時間：昼11:30～　夜17：30～ | -
  hours | ランチタイム９時３０分から１５時まで　 ドリンクタイムは１７時まで それ以外は１８時まで | -
  hours | 月〜日　9:00〜17:00  定休日:第二火曜日 　他1/1〜1/4 休み | -
  hours | 営業時間　火〜土　10:00〜17:30 　　　　　日曜日　10:00〜14:00(不定休) 　　　　　月曜日　休日 | Tu-Sa 10:00-17:30 "不定休"; Su 10:00-14:00 "不定休"; Mo off
  hours | 定休日：日曜〜水曜・祝日（木曜不定休）　繁忙期（7月、12月等）は月曜、火曜日の営業もあり（詳しくはホームページ・Instagramにてご案内） | -
  hours | 月曜日　休み平日11時30分から土､日曜日 10時30分から | -
  hours | 営業時間：10:00?19:00　時間の相談可能定休日：月曜日クーポン対応：美容室施術、商品になります | -
  hours | 10：00〜16：30 定休日　水曜日・木曜日  物販（手作りジャム・国産はちみつ）使用可 | -
  hours | 水曜日定休　営業時間月〜金　11：00〜15：00　　土・日　11：00〜15：00　17：00〜21：00 | Mo-Fr 11:00-15:00; Sa,Su 11:00-15:00,17:00-21:00; We off
  hours | 営業時間：7:00-19:00（日曜定休） 利用条件に関する注意：給油や洗車、オイル交換など当店のメニュー各種にご利用いただけます。給油の場合は、2000円以上のご利用になりそうか、給油前にあらかじめスタッフと共に確認させていただきます。1000円クーポン分については各種提携ポイント(VポイントやRポイント等)の付与はありません。 | -
  hours | 午前   9:00～13:15午後 14:30～18:45処方箋は対象外 | -
  hours | 11:30〜14:00 月曜〜金曜 17:30-翌3:00 <定休日> 昼:　土日祝日　夜：日曜日 | -
  hours | 月〜土　7：30〜18：00 定休日　毎週日曜日 | Mo-Sa 07:30-18:00; Su off
  hours | 営業時間10：00〜20：00 | 10:00-20:00
  hours | 9:00-17:00 隔週水曜日休日 | 09:00-17:00; We "隔週水曜日"
  hours | 11時30分-13時30分(閉店14時)17時-20時(閉店21時) | -
  hours | 【午前】9:00～12:00,【午後】14:00～19:00 　土曜・日曜・祝日：【午前】9:00～12:00,【午後】14:00～17:00 | 09:00-12:00,14:00-19:00; Sa,Su,PH 09:00-12:00,14:00-17:00
  hours | 夜営業17時から20時ラストオーダー迄 毎週水曜日木曜日夜営業定休日となります。　”ランチ営業にクーポンは利用できません” | -
  hours | 平日９：３０〜１７：００　土曜日９：００〜１１：３０　日祝休み | Mo-Fr 09:30-17:00; Sa 09:00-11:30; Su,PH off
  hours | 休日　毎日曜日と第2.と第3月曜日 営業時間　AM9：00〜P M19:00 | -
  hours | 1/25（日）のみ使用可能およんな広場さん出店10時から14時 | -
  hours | 営業日　火曜〜土曜 営業時間　11：00〜16：00 定休日　日曜・月曜 | Tu-Sa 11:00-16:00; Mo,Su off
  hours | ラボコスメSHIBAHARA 化粧品専門店 焼津市唯一の「クレドポーボーテ正規取扱店」 アルビオン・エレガンス・ベネフィーク・ お肌悩み専門ブランド「シェルクルール」 オーガニックコスメ「肌箋集28」 美顔エステにもご利用いただけます 焼津市田尻1685  営業時間 9;00-19;00  火曜日定休日 | -
  hours | 営業時間:9:00〜19:00 定休日:火曜日 | 09:00-19:00; Tu off
  hours | 営業時間　10:00〜17:00 定休日　日曜・祭日 | 10:00-17:00; Su,PH off
  hours | 【午前】9:00～12:00,【午後】14:00～19:00 年中無休 | 09:00-12:00,14:00-19:00
  hours | 平日：10：00〜よる 6：30 土日祝：10：00〜よる 7：00 毎週木曜定休※祝日などは営業になります | -
  hours | 営業時間：９：３０〜１９：３０ 一部クーポン使用不可のものがございます。（商品券、工事代金、作業工賃等） お客様都合による返品・交換はできません。（但し、初期不良等の場合は対応させていただきます） | -
  hours | ● 弊社休業日： 第2.第4土曜日、日曜日、祝日　　  令和7年7月26日(土)、27日(日)、8月3日(日)は定休日です。 ● 平日の営業時間： 8：30　〜　17：00 | -
  hours | 営業時間　7：30〜18：00 | 07:30-18:00
  hours | 営業時間9:30〜19:00 定休日　木曜日 DPプリント、証明写真には使用できません。 | -
  hours | 営業時間　平日８時-18時半　土曜日8時-18時　 定休日　日曜日　＊郵便切手は対象外 | -
  hours | 営業日：月曜日〜金曜日 営業時間：9:00〜16:30 | Mo-Fr 09:00-16:30
  hours | 営業時間午前10時から午後8時半 日曜日定休日 | 10:00-20:30; Su off
  hours | 定休日：　月曜日・火曜日　　　　　ランチ：土曜日・日曜日（11時〜14時） | -
  hours | 営業時間9時〜18時 | 09:00-18:00
  hours | 営業時間10:00〜19:00 定休日　毎週水曜日、木曜日 | 10:00-19:00; We,Th off
  hours | 営業時間：平日①8:00-12:00 / ②13:00-16:00土曜日不定休 / 日曜日定休 / 祝日及び長期連休はお休みさせていただきます。 | -
  hours | 営業時間　9:30~18:00 | 09:30-18:00
  hours | 昼11時〜14時(ラストオーダー13時半) 夜17時〜21時(ラストオーダー20時半) 日曜日、祭日は夜1時間早く閉めます。 | -
  """#
