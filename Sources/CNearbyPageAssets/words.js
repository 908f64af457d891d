// The page's own words, in three languages; what the data says is shown as it is.
const words = {
  en: {
    language: "Language", theme: "Dark or light", search: "Search everything", nearMe: "Near me", more: n => `${n} more`,
    map: "Map", shown: (n, all) => `${n} of ${all}`, none: "Nothing here. Move the map, or change the filters.", notFound: "Nothing found. Try other words, or change the filters.",
    hours: "Opening hours", anyTime: "Open or closed", openNow: "Open now", notClosed: "Open or unknown",
    open: "open", closed: "closed", unknown: "hours unknown", closedDown: "closed down", suspended: "temporarily closed",
    opens: time => `closed, opens ${time}`, closes: time => `open until ${time}`, shut: time => `closed until ${time}`,
    midnight: "midnight", there: time => `${time} local time`, kinds: "Kinds",
    noKind: "other", cluster: n => `${n} here; show them`,
    noPosition: "This device's position is not available.", unnamed: "no name", zoomIn: "Zoom in", zoomOut: "Zoom out",
    noData: "The data beside this page could not be read.", noFiles: "Open this page on a web server: from a disk, browsers do not read the data beside a page.", empty: "This page is empty.",
    searchSeen: "Search what is in view", searchLoading: "Loading the search data…",
    searchFailed: "The search data could not be read; only what is in view is searched.", loading: "Loading…", part: "Zoomed out, only some are shown; zoom in for all.",
    fitAll: "Show everything", forget: "Clear the point distances are measured from", fromHere: "Measure distances from here",
    unplaced: "Without a position", kind: "Kind", phone: "Phone", web: "Web", distance: "Distance", position: "Position",
    openIn: "Open in", allFields: "All fields", tilesFailed: "The background map does not respond; this is the built-in map.",
    compass: ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"],
    outdated: "The opening hours in this page ended before today; export it again.",
    away: "The connection to the server is lost; this may be out of date.",
  },
  ja: {
    language: "言語", theme: "明るさを切り替え", search: "名前・住所を検索", nearMe: "現在地から", more: n => `あと${n}件`,
    map: "地図", shown: (n, all) => `${all}件中${n}件`, none: "ここにはありません。地図を動かすか、絞り込みを変えてください。", notFound: "見つかりません。別の言葉で検索するか、絞り込みを変えてください。",
    hours: "営業時間", anyTime: "営業状況：すべて", openNow: "営業中のみ", notClosed: "営業中と不明",
    open: "営業中", closed: "営業時間外", unknown: "営業時間不明", closedDown: "閉業", suspended: "休業中",
    opens: time => `営業時間外、${time}から営業`, closes: time => `営業中、${time}まで`, shut: time => `営業時間外、${time}まで`,
    midnight: "24:00", there: time => `${time}（現地時間）`, kinds: "種類",
    noKind: "その他", cluster: n => `${n}件を表示`,
    noPosition: "現在地を取得できません。", unnamed: "名称なし", zoomIn: "拡大", zoomOut: "縮小",
    noData: "このページのデータを読み込めませんでした。", noFiles: "このページはウェブサーバーから開いてください。ディスクから直接開くと、ブラウザーはデータを読み込みません。", empty: "このページにはデータがありません。",
    searchSeen: "表示範囲内を検索", searchLoading: "検索用のデータを読み込み中…",
    searchFailed: "検索用のデータを読み込めませんでした。表示範囲内だけを検索します。", loading: "読み込み中…", part: "縮小時は一部のみ表示しています。拡大するとすべて表示します。",
    fitAll: "全体を表示", forget: "距離の基準点を消す", fromHere: "ここからの距離を表示",
    unplaced: "位置不明", kind: "種類", phone: "電話", web: "ウェブ", distance: "距離", position: "緯度・経度",
    openIn: "ほかの地図", allFields: "すべての項目", tilesFailed: "背景地図に接続できないため、内蔵の地図を表示しています。",
    compass: ["北", "北東", "東", "南東", "南", "南西", "西", "北西"],
    outdated: "このページの営業時間は本日より前で終わっています。もう一度書き出してください。",
    away: "サーバーとの接続が切れています。表示内容は最新でない可能性があります。",
  },
  ko: {
    language: "언어", theme: "밝기 전환", search: "이름·주소 찾기", nearMe: "내 주변", more: n => `${n}곳 더 보기`,
    map: "지도", shown: (n, all) => `${all}곳 중 ${n}곳`, none: "여기에는 없습니다. 지도를 옮기거나 조건을 바꿔 보세요.", notFound: "찾지 못했습니다. 다른 말로 찾거나 조건을 바꿔 보세요.",
    hours: "영업시간", anyTime: "영업 여부: 전체", openNow: "영업 중만", notClosed: "영업 중·미확인",
    open: "영업 중", closed: "영업 종료", unknown: "영업시간 미확인", closedDown: "폐업", suspended: "휴업",
    opens: time => `영업 종료, ${time}에 시작`, closes: time => `영업 중, ${time}까지`, shut: time => `영업 종료, ${time}까지`,
    midnight: "자정", there: time => `${time}(현지 시각)`, kinds: "종류",
    noKind: "기타", cluster: n => `${n}곳 보기`,
    noPosition: "현재 위치를 알 수 없습니다.", unnamed: "이름 없음", zoomIn: "확대", zoomOut: "축소",
    noData: "이 페이지의 데이터를 읽지 못했습니다.", noFiles: "이 페이지는 웹 서버에서 여세요. 디스크에서 바로 열면 브라우저가 데이터를 읽지 않습니다.", empty: "이 페이지에는 자료가 없습니다.",
    searchSeen: "보이는 곳에서 찾기", searchLoading: "검색 자료를 불러오는 중…",
    searchFailed: "검색 자료를 읽지 못해 보이는 곳에서만 찾습니다.", loading: "불러오는 중…", part: "멀리서는 일부만 보입니다. 확대하면 모두 보입니다.",
    fitAll: "전체 보기", forget: "거리 기준점 지우기", fromHere: "여기서부터 거리 보기",
    unplaced: "위치 미확인", kind: "종류", phone: "전화", web: "웹", distance: "거리", position: "위도·경도",
    openIn: "다른 지도", allFields: "모든 항목", tilesFailed: "배경 지도가 응답하지 않아 내장 지도를 보여 드립니다.",
    compass: ["북쪽", "북동쪽", "동쪽", "남동쪽", "남쪽", "남서쪽", "서쪽", "북서쪽"],
    outdated: "이 페이지의 영업시간은 오늘 이전까지입니다. 다시 내보내 주세요.",
    away: "서버와 연결이 끊겼습니다. 최신 정보가 아닐 수 있습니다.",
  },
};

let language = "en";
const word = name => words[language][name];

// Full and half width, upper and lower case are one: ＡＢＣ finds abc, ｶﾌｪ finds カフェ. The minus, the wave dash and the
// parallel sign stand for others that Shift_JIS does not have.
const folded = text => (/^[\t\n\x20-\x7e]*$/.test(text) ? text
  : text.normalize("NFKC").replace(/\u2212/g, "-").replace(/\u301c/g, "~").replace(/\u2225/g, "\u2016")).toLowerCase();

// Formatters are slow to make.
const formatters = new Map();
function formatter(kind, options) {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new Intl[kind](language, options));
  return formatters.get(key);
}

const number = value => formatter("NumberFormat", {}).format(value);

// A minute since 1970 by a clock that is so many minutes ahead of UTC, seen from another minute of the
// same clock. What ends at midnight ends on the day before.
function shownTime(minute, ahead, now, isEnd) {
  const local = minute + ahead, isMidnight = isEnd && local % 1440 === 0;
  const at = new Date((local - (isMidnight ? 1 : 0)) * 60000), days = Math.floor(at / 86400000) - Math.floor(now / 1440);
  const part = options => formatter("DateTimeFormat", { timeZone: "UTC", ...options }).format(at);
  const time = isMidnight ? word("midnight") : part({ hour: "numeric", minute: "2-digit" });
  const day = days === 0 ? "" : days === 1 ? formatter("RelativeTimeFormat", { numeric: "auto" }).format(1, "day")
    : days < 7 ? part({ weekday: "short" }) : part({ month: "short", day: "numeric" });
  return day ? `${day} ${time}` : time;
}

function shownDistance(meters) {
  const [value, unit, digits] = meters < 1000 ? [meters, "meter", 0]
    : [meters / 1000, "kilometer", meters < 10000 ? 2 : meters < 100000 ? 1 : 0];
  return formatter("NumberFormat", { style: "unit", unit, maximumFractionDigits: digits }).format(value);
}
