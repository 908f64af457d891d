/// Texts of real columns, each with the value that a person reads in it; `-` where a person could not be
/// certain either, or where the program says that it does not know.
///
/// Drawn by chance from the distinct texts, each value read twice: once beside the program's reading, once
/// by a reader of its own that shares no code with it. Facts written anew, from: 휴관일 of
/// kr-libraries (data.go.kr 전국도서관표준데이터, no restriction on use); 休業日 and hours of
/// jp-yaizu-deals (焼津市 open data, PDL 1.0 / CC BY 4.0); 시장개설주기 of kr-markets (data.go.kr
/// 전국전통시장표준데이터, no restriction on use).
let writtenSample = #"""
  closing | 토+일+공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 월+법정공휴일 | "hours not stated"; Mo,PH off
  closing | 월+국가지정공휴일 | "hours not stated"; Mo,PH off
  closing | 토+일+국가지정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 월+일+공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주월요일+일요일+국가지정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 국가지정공휴일 | "hours not stated"; PH off
  closing | 매주토, 일요일 | "hours not stated"; Sa,Su off
  closing | 토·일요일, 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 월요일+일요일을제외한법정공휴일(단,일요일이공휴일인경우휴관)+근로자의날+성북문화재단창립기념일(매년 9월 1일) | "hours not stated"; Mo,PH off; Sep 01 off; May 01 off
  closing | 월+일요일+국가지정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주토요일+매주일요일+공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 금요일+공휴일 | "hours not stated"; Fr,PH off
  closing | 매주화요일 | "hours not stated"; Tu off
  closing | 월요일 | "hours not stated"; Mo off
  closing | 매주토요일, 매주일요일, 법정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 월+일요일+법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 금+법정공휴일(일요일 제외) | "hours not stated"; Su PH "일요일"; Fr off; Mo-Sa PH off
  closing | 매주 월요일 | "hours not stated"; Mo off
  closing | 자료실(일+공휴일) + 공부방(공휴일) | -
  closing | 운영중단 | off "운영중단"
  closing | 휴관중 | off "휴관중"
  closing | 월요일+법정공휴일 | "hours not stated"; Mo,PH off
  closing | 월+일+국가지정 공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주일요일 | "hours not stated"; Su off
  closing | 법정공휴일+정기청소일 | "정기청소일"; PH off
  closing | 월+ 법정공휴일 | "hours not stated"; Mo,PH off
  closing | 화+목+토+일+법정공휴일 | "hours not stated"; Tu,Th,Sa,Su,PH off
  closing | 마지막주 월요일+국가지정공휴일 | "hours not stated"; Mo[-1],PH off
  closing | 일+월+국경일 | "hours not stated"; Jul 17 "국경일"; PH "국경일"; Mo,Su off; Mar 01,Aug 15,Oct 03,Oct 09 off
  closing | 매주 월요일+국가지정 공휴일(일요일 운영시간 토요일과 동일) | -
  closing | 월+공휴일을 제외한 관공서의 공휴일인 경우 | -
  closing | 매주 월 | "hours not stated"; Mo off
  closing | 국가지정공휴일, 매주 일요일 | "hours not stated"; Su,PH off
  closing | 월+국가지정공휴일(공휴일은 휴관) | "hours not stated"; Mo,PH off
  closing | 첫째 주 월+셋째 주 월+1월 1일+설 연휴+추석 연휴+명절 연휴와 이어지는 토·일+임시 휴관일(특별한 사유) | -
  closing | 일요일 | "hours not stated"; Su off
  closing | 매주 일,월 및 법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주 일ㆍ월요일+국가지정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매월둘째넷째월요일+정부지정공휴일 | "hours not stated"; Su "일요일"; Mo[2,4],PH off
  closing | 둘째 주 월+넷째 주 월+1월 1일+설 연휴+추석 연휴+명절 연휴와 이어지는 토·일+임시 휴관일(특별한 사유) | -
  closing | 금요일,법정공휴일 | "hours not stated"; Fr,PH off
  closing | 평일 | "hours not stated"; Mo-Fr off; Mo-Fr PH "hours not stated"
  closing | 매주목요일+법정공휴일 | "hours not stated"; Th,PH off
  closing | 법정공휴일+첫째 주 월+셋째 주 월 | "hours not stated"; Mo[1,3],PH off
  closing | 토+일요일+국가지정공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 자료실(첫째 월요일+셋째 월요일+일요일 제외한 공휴일)+열람실(1월 1일+설 연휴+추석 연휴) | -
  closing | 자료실(둘째 월요일+넷째 월요일+일요일 제외한 공휴일)+열람실(1월 1일+설 연휴+추석 연휴) | -
  closing | 매주 월요일 및 일요일을 제외한 관공서의 공휴일 | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 매주월요일+공휴일 | "hours not stated"; Mo,PH off
  closing | 매주일요일+공휴일 | "hours not stated"; Su,PH off
  closing | 월요일,     법정공휴일 | "hours not stated"; Mo,PH off
  closing | 금+토+일+법정공휴일 | "hours not stated"; Fr-Su,PH off
  closing | 월+법정공휴일+12월31일 | "hours not stated"; Mo,PH off; Dec 31 off
  closing | 토요일+일요일+관공서의 공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 수 | "hours not stated"; We off
  closing | 미운영 | off "미운영"
  closing | 매주 월요일 + 법정공휴일 | "hours not stated"; Mo,PH off
  closing | 매주 일 | "hours not stated"; Su off
  closing | 매주 월요일, 공휴일 | "hours not stated"; Mo,PH off
  closing | 법정공휴일+둘째 주 월+넷째 주 월 | "hours not stated"; Mo[2,4],PH off
  closing | 자료실(월+공휴일) + 공부방(공휴일) | -
  closing | 매월 첫째주, 셋째주 월요일/ 국경일/ 공휴일//매분기마지막일 | -
  closing | 1)매주월요일 2)국가지정공휴일 | "hours not stated"; Mo,PH off
  closing | 월+일요일을 제외한 국경일+일요일을 제외한 법정공휴일+특별한 사유로 관장이 지정한 날(임시휴관일)+대체공휴일 | -
  closing | 월+공휴일(일 제외)+열람실은 연중 개관(신정 및 설·추석연휴 제외) | -
  closing | 매주일요일, 매주월요일, 법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주금요일 및 국가지정공휴일 | "hours not stated"; Fr,PH off
  closing | 매주 월요일, 국가지정공휴일 | "hours not stated"; Mo,PH off
  closing | 국가지정공휴일(일요일포함) | "hours not stated"; Su "일요일"; PH off
  closing | 수+공휴일 | "hours not stated"; We,PH off
  closing | 화요일, 법정공휴일 | "hours not stated"; Tu,PH off
  closing | 둘째 월+넷째 월+공휴일 | "hours not stated"; Mo[2,4],PH off
  closing | 월+법정공휴일+국가지정임시휴일 | "국가지정임시휴일"; Mo,PH off
  closing | 월+관공서 공휴일+법정 공휴일 | "hours not stated"; Su "일요일"; Mo,PH off
  closing | 연중무휴(자료실 휴실 : 신정 명절연휴 매월 둘째 월요일) | -
  closing | 매월마지막주월요일+법정공휴일 | "hours not stated"; Mo[-1],PH off
  closing | 월+화+공휴일 | "hours not stated"; Mo,Tu,PH off
  closing | 매주 월, 수 | "hours not stated"; Mo,We off
  closing | 토+국가지정공휴일(일요일제외, 단 일요일이 다른 법정공휴일과 겹치는 경우에는 휴관함) | "hours not stated"; Sa,PH off
  closing | 수+목+국가지정 공휴일 | "hours not stated"; We,Th,PH off
  closing | 일+ 월+법정공휴일 | "hours not stated"; Mo,Su,PH off
  closing | 매주화요일+국가지정공휴일 | "hours not stated"; Tu,PH off
  closing | 월(열람실은 개관 : 09:00~18:00)+국가지정 공휴일 | "hours not stated"; Mo "(열람실은 개관 : 09:00~18:00)"; PH off
  closing | 매주 월요일 및 일요일을 제외한 공휴일 | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 월(첫째 주+셋째 주)+일(둘째 주+넷째 주)+법정공휴일 | "hours not stated"; Mo[1,3],Su[2,4],PH off
  closing | 매주수요일+국가지정공휴일 | "hours not stated"; We,PH off
  closing | 매주 화+목+금+일 | "hours not stated"; Tu,Th,Fr,Su off
  closing | 월+화+목요일+금+일+공휴일 | "hours not stated"; Mo,Tu,Th,Fr,Su,PH off
  closing | 임시 운영중단 | off "임시 운영중단"
  closing | 국가지정공휴일+매주수요일 | "hours not stated"; We,PH off
  closing | 전면휴관 2024.3.25.(월)~5.6.(월)+부분휴관2024.5.7.(화)~9.2.(월) | -
  closing | 화+법정공휴일+개관일(6.24.) | "hours not stated"; Tu,PH off; Jun 24 off
  closing | 매주월/공휴일 | "hours not stated"; Mo,PH off
  closing | 월+화+목요일 | "hours not stated"; Mo,Tu,Th off
  closing | 매주 일+월 | "hours not stated"; Mo,Su off
  closing | 자료실(월+법정공휴일)/학습실(1월1일+설연휴+추석연휴) | -
  closing | 토요일+일요일+국경일+국가지정공휴일 | "hours not stated"; Jul 17 "국경일"; Sa,Su,PH off; Mar 01,Aug 15,Oct 03,Oct 09 off
  closing | 토,일요일 법정공휴일,복지관 휴관일 | -
  closing | 매주월요일+국가지정공휴일+대청소일(12.30.~12.31.)+근로자의 날 | "hours not stated"; Mo,PH off; Dec 30-Dec 31 off; May 01 off
  closing | 매주 금요일 및 법정공휴일(일요일제외) | "hours not stated"; Su PH "일요일"; Fr off; Mo-Sa PH off
  closing | 토,일,공휴일 | "hours not stated"; Sa,Su,PH off
  closing | 주말만 운영 | -
  closing | 화+토+일+공휴일 | "hours not stated"; Tu,Sa,Su,PH off
  closing | 짝수주 토+일+국가지정공휴일 | -
  closing | 월,일요일 | "hours not stated"; Mo,Su off
  closing | 매주일요일, 매주월요일 | "hours not stated"; Mo,Su off
  closing | 매주 월요일+국가 지정공휴일+설날 연휴+추석 연휴 | "hours not stated"; Mo,PH off
  closing | 목+일+공휴일 | "hours not stated"; Th,Su,PH off
  closing | 월+일요일을 제외한 법정공휴일 | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 매주 일요일, 법정공휴일 | "hours not stated"; Su,PH off
  closing | 일+법정공휴일+근로자의날(5월1일)+임시휴관일 | "hours not stated"; Su,PH off; May 01 off
  closing | 금(첫째 주+셋째 주)+법정공휴일 | "hours not stated"; Fr[1,3],PH off
  closing | 국가지정공휴일(일요일포함)+매주금요일 | "hours not stated"; Su "일요일"; Fr,PH off
  closing | 월+수+목+토+법정공휴일 | "hours not stated"; Mo,We,Th,Sa,PH off
  closing | 매주 월요일+공휴일 | "hours not stated"; Mo,PH off
  closing | 국가지정공휴일(일요일포함)+매주수요일 | "hours not stated"; Su "일요일"; We,PH off
  closing | 일+관공서의 공휴일+대체공휴일+설날추석 연휴와 이어지는 토요일+특별한 사유로 관장이 지정한 날(임시휴관일) | -
  closing | 월+일요일을 제외한 법정공휴일+기타 관장이 필요하다고 지정한 날 | "hours not stated"; Su PH "일요일"; Mo off; Mo-Sa PH off
  closing | 매주 월요일과 일요일을 제외한 관공서의 공휴일(단, 일요일이 다른 공휴일과 겹치는 경우는 휴관) | "hours not stated"; Mo,PH off
  closing | 일요일+ 법정공휴일 | "hours not stated"; Su,PH off
  closing | 매월 첫째 월요일 | "hours not stated"; Mo[1] off
  closing | 월(첫째 주 + 셋째 주)+국가지정공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 첫째주 화+셋째주 화+일+공휴일 | "hours not stated"; Su,Tu[1,3],PH off
  closing | 매주금요일+국가지정공휴일+설날연휴+추석연휴 | "hours not stated"; Fr,PH off
  closing | 토+국가지정공휴일 | "hours not stated"; Sa,PH off
  closing | 수+법정공휴일 | "hours not stated"; We,PH off
  closing | 매주  금요일, 법정공휴일 | "hours not stated"; Fr,PH off
  closing | 매월 첫째+셋째 주 월요일+법정 공휴일 | "hours not stated"; Mo[1,3],PH off
  closing | 운영준비중 | off "운영준비중"
  closing | 水曜 | "hours not stated"; We off
  closing | 日曜・祝日 | "hours not stated"; Su,PH off
  closing | 隔週水曜 | "hours not stated"; We "隔週水曜"
  closing | 年中無休 | "hours not stated"
  closing | 土曜・日曜・祝日 | "hours not stated"; Sa,Su,PH off
  closing | 不定休 | "不定休"
  closing | 木曜 | "hours not stated"; Th off
  closing | 日曜 | "hours not stated"; Su off
  closing | 元日・他施設点検臨時休業あり | "hours not stated"; Jan 01 off
  closing | なし　※年始休業 | "hours not stated"; Jan 02-Jan 07 "年始"; Jan 01 off
  closing | 火曜・土曜・休前日 | -
  closing | 火曜・土曜 | "hours not stated"; Tu,Sa off
  closing | 月曜・年末年始・その他臨時休業あり | "hours not stated"; Dec 26-Jan 07 "年末年始"; Mo off; Dec 31-Jan 01 off
  closing | 水曜・日曜 | "hours not stated"; We,Su off
  closing | 日曜・月曜・お盆・年始 | "hours not stated"; Aug 08-Aug 20 "お盆"; Jan 02-Jan 07 "年始"; Mo,Su off; Jan 01 off
  closing | 日曜～水曜（木曜不定休）・祝日 | "hours not stated"; Th "（木曜不定休）"; Mo-We,Su,PH off
  closing | 土曜・日曜 | "hours not stated"; Sa,Su off
  closing | 月曜（祝日及び14日が月曜の場合は翌平日休） | -
  closing | 日曜・月曜 | "hours not stated"; Mo,Su off
  closing | 土曜午後・日曜・祝日 | "hours not stated"; Sa "土曜午後"; Su,PH off
  closing | 日曜・祝日・年末年始 | "hours not stated"; Dec 26-Jan 07 "年末年始"; Su,PH off; Dec 31-Jan 01 off
  closing | 水曜・日曜・土曜午後 | "hours not stated"; We "水曜"; Su "日曜"; Sa "土曜午後"
  closing | 5～10月は火曜/11～4月は土曜・日曜・祝日 | -
  closing | 元日 | "hours not stated"; Jan 01 off
  closing | 水曜（行事により不定休） | "hours not stated"; We "（行事により不定休）"
  closing | 水曜・他 臨時休業あり | "hours not stated"; We off
  closing | 元日のみ | "hours not stated"; Jan 01 off
  closing | 月曜・第2・4火曜 | "hours not stated"; Mo,Tu[2,4] off
  closing | 日曜・祝日・土曜午後 | "hours not stated"; Sa "土曜午後"; Su,PH off
  closing | 月曜 | "hours not stated"; Mo off
  closing | 水曜（祝日の場合は営業） | "hours not stated"; We off; We PH "hours not stated"
  closing | 火曜 | "hours not stated"; Tu off
  closing | 月曜（祝日は営業） | "hours not stated"; Mo off; Mo PH "hours not stated"
  closing | 年中無休（年末年始休日あり） | -
  closing | 日曜・月曜・祝日 | "hours not stated"; Mo,Su,PH off
  closing | 土曜・日曜・祝日・お盆・年末年始 | "hours not stated"; Aug 08-Aug 20 "お盆"; Dec 26-Jan 07 "年末年始"; Sa,Su,PH off; Dec 31-Jan 01 off
  closing | 年末年始 | "hours not stated"; Dec 26-Jan 07 "年末年始"; Dec 31-Jan 01 off
  hours | 8:00～17:00 | 08:00-17:00
  hours | 9:00～16:00 | 09:00-16:00
  hours | 10:00～17:00 | 10:00-17:00
  hours | 10:00～17:30 | 10:00-17:30
  hours | 10:00～19:00 | 10:00-19:00
  hours | 10:00～18:30 | 10:00-18:30
  hours | 9:00～18:00 | 09:00-18:00
  hours | 9：00～15：00 | 09:00-15:00
  hours | 7:00～17:00 | 07:00-17:00
  hours | 10：00～17：00（土曜10：00～14：00） | 10:00-17:00; Sa 10:00-14:00
  hours | 8:30～17:30 | 08:30-17:30
  hours | 9:30～18:00 | 09:30-18:00
  hours | 10:00～16:00 | 10:00-16:00
  hours | 11:00～16:00 | 11:00-16:00
  hours | 10:30～17:00 | 10:30-17:00
  hours | 月曜～金曜9 :30～17:00　土曜9:00～11:30 | Mo-Fr 09:30-17:00; Sa 09:00-11:30
  hours | 8:00～16:00 | 08:00-16:00
  hours | 13:00～18:00 | 13:00-18:00
  hours | 9：30～18:30 | 09:30-18:30
  hours | 店舗により違いあり | -
  hours | 9:00～18:00（冬季は早仕舞あり） | -
  hours | 9:00～20:00（日曜　12：00～19：00） | 09:00-20:00; Su 12:00-19:00
  hours | 9:30～19:00 | 09:30-19:00
  hours | 7:00～19:00 | 07:00-19:00
  hours | 9:00～20:00 | 09:00-20:00
  hours | 9:00?19:00 | -
  hours | 営業時間 9:00～22:00 | 09:00-22:00
  hours | 営業時間　9:00 - 21:45 | 09:00-21:45
  hours | 営業時間　9:00～21:00 | 09:00-21:00
  hours | 10:00~19:00  毎週水曜及び第２第３火曜日定休 | 10:00-19:00; We,Tu[2,3] off
  hours | 10:00~19:00 | 10:00-19:00
  hours | 営業日はSNSにてご確認ください | "hours not stated"
  hours | 営業時間：10：００〜１４：００、１６：３０〜１８：００ 日曜・祝日は定休日です。 | 10:00-14:00,16:30-18:00; Su,PH off
  hours | 営業時間は　10:00〜19:00 定休日　毎週月曜日 | 10:00-19:00; Mo off
  hours | 9:00〜18:00 定休日：土、日、祝日 | 09:00-18:00; Sa,Su,PH off
  hours | 月曜〜日曜　9:00〜16:00  定休日：不定休 | Mo-Su 09:00-16:00 "不定休"
  hours | 月〜日　9：00〜17：00 定休日　第2火曜日 | Mo-Su 09:00-17:00; Tu[2] off
  hours | 営業時間 : 11時〜14時 / 17時〜19時 定休日 : 月曜日（月曜祝日の場合、翌火曜日） | 11:00-14:00,17:00-19:00; Mo off; Mo PH 11:00-14:00,17:00-19:00; Tu PH +1 day off; Tu PH +1 day PH "翌火曜日"; We PH +1 day "翌火曜日"
  hours | AM9：00〜PM17：00 | 09:00-17:00
  hours | 営業時間 10:00-17:00 月曜定休 | 10:00-17:00; Mo off
  hours | ランチも物販も両方クーポン使用可能です | -
  hours | 営業日はインスタでご確認ください | -
  hours | テイクアウトも利用OK！！ 営業日　→　毎日営業 営業時間　→　10時～19時 | 10:00-19:00
  hours | 営業時間９：００〜１７：００ | 09:00-17:00
  hours | 月〜金　17:00〜23:00 　土日：16:00〜23:00   定休日：火曜・水曜 | Mo-Fr 17:00-23:00; Sa,Su 16:00-23:00; Tu,We off
  hours | 昼：11:00〜15:00 夜：17:30〜20:00  定休日：火曜日 | 11:00-15:00,17:30-20:00; Tu off
  hours | 17:30-23:00 　定休日：月曜 | 17:30-23:00; Mo off
  hours | 営業時間9時30分〜16時30分(ラストオーダー16時) | 09:30-16:30
  hours | 営業時間9：00〜19：００ 日曜・祝日定休日 | 09:00-19:00; Su,PH off
  hours | 営業時間　10：00〜19：30 定休日　水曜日 | 10:00-19:30; We off
  hours | 営業時間　午後1：00〜6：00 | 13:00-18:00
  hours | 営業時間 11時〜14時 17時〜20時  火曜日定休日 | 11:00-14:00,17:00-20:00; Tu off
  hours | 営業時間　9:30～18:00 定  休  日　月曜日 | 09:30-18:00; Mo off
  hours | 水曜日〜日曜日:9:30〜17:30 定休日：月曜・火曜 | We-Su 09:30-17:30; Mo,Tu off
  hours | 営業時間9：00〜20：00 定休日　水曜日 | 09:00-20:00; We off
  hours | 営業時間　１０：００〜１８：００　 定休日　水曜日　木曜日 | 10:00-18:00; We,Th off
  hours | 17:30〜23:00 定休日：月曜日　月に1回、月曜・火曜日の連休あります。 | -
  hours | 営業時間　平日：8：30〜18：00　土曜日：8：30〜15：00 休　　日　：　日曜日・祝日 | Mo-Fr 08:30-18:00; Sa 08:30-15:00; Su,PH off
  hours | 月曜〜土曜　9:00〜21:00 　定休日：毎週日曜日 | Mo-Sa 09:00-21:00; Su off
  hours | 定休日：水曜日 | "hours not stated"; We off
  hours | 月～土　17：00～22：00 （定休日）毎週日曜日 | Mo-Sa 17:00-22:00; Su off
  hours | 平日　　11:00〜13:30 16:00〜21:30 日、祝　11:00〜13:30 16:00〜20:30 | Sa "hours not stated"; Mo-Fr 11:00-13:30,16:00-21:30; Su,PH 11:00-13:30,16:00-20:30
  hours | 水曜定休 | "hours not stated"; We off
  hours | 営業時間は9：00〜17：30 | 09:00-17:30
  hours | 定休日：月～金曜日　営業日：土曜日、日曜日   営業時間：土曜日11:30～19:30　日曜日8:30〜15:30 | Sa 11:30-19:30; Su 08:30-15:30; Mo-Fr off
  hours | 営業時間　AM9：00からPM6：30 | 09:00-18:30
  hours | 定休日毎週木曜日・第3水曜日 ランチはやってません。　　 pm4時から営業してます。 | -
  hours | 営業時間 月、土　14時〜16時 火、木、金　10時半〜16時 | Mo,Sa 14:00-16:00; Tu,Th,Fr 10:30-16:00
  hours | 営業時間  9:00-18:30 | 09:00-18:30
  hours | 8:30~17:00 | 08:30-17:00
  hours | 定休日（日・月・祝日） 営業時間　9:30 - 17:00 | 09:30-17:00; Mo,Su,PH off
  hours | 土日休み | "hours not stated"; Sa,Su off
  hours | 10時から18時30分　お休みは1月1日のみ | 10:00-18:30; Jan 01 off
  hours | 営業日　土.日.月曜 営業時間　10時〜17時 | Sa,Su,Mo 10:00-17:00
  hours | 営業時間　9:00〜18:00 定休日　　日　月　祝 | 09:00-18:00; Mo,Su,PH off
  hours | 営業時間　10:00〜19:00 | 10:00-19:00
  hours | 営業時間 平日：12:30〜19:00 土日：11:00〜18:00 定休日：火曜日、祝日 | Mo-Fr 12:30-19:00; Sa,Su 11:00-18:00; Tu,PH off
  hours | 営業時間　10時〜19時 定休日　水曜日 | 10:00-19:00; We off
  hours | 営業時間 10:00〜19:00年中無休 | 10:00-19:00
  hours | 足ツボ、ボディケア、オイルマッサージ、フェイシャル 基本料金30分2000円より利用可 | -
  hours | 営業時間10：00〜19：00 | 10:00-19:00
  hours | 営業時間:18:00～24:00 | 18:00-24:00
  hours | 営業時間11時半～18時月火定休日 | 11:30-18:00; Mo,Tu off
  hours | 営業時間　10:00～21:00 | 10:00-21:00
  hours | 営業時間8:00～0:00　クーポンは直営のみ利用可1階フロアと2階フロアで会計が別となっていますのでクーポン使用の際はご注意ください | -
  hours | 営業時間はAM11:00～14:30　，16:30～20:00 | 11:00-14:30,16:30-20:00
  hours | 営業時間２４時間年中無休 | 24/7
  hours | 営業時間は10:00～19:30までとなります。 | 10:00-19:30
  hours | 月～土　8:30～18:30 日：8:30～18:00定休日：月曜、第2・第3火曜日 | Mo-Sa 08:30-18:30; Su 08:30-18:00; Mo,Tu[2,3] off
  hours | 매일 | Mo-Su "hours not stated"
  """#
