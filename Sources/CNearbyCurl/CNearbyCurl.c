#include "CNearbyCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// libcurl's options and codes by number. They never change: its documentation promises a stable
// binary interface since version 7.16.0 (https://curl.se/libcurl/abi.html). Where its header is
// installed, the compiler compares them below.
enum {
  opt_write_data = 10001,
  opt_url = 10002,
  opt_error_buffer = 10010,
  opt_user_agent = 10018,
  opt_http_header = 10023,
  opt_header_data = 10029,
  opt_no_progress = 43,
  opt_follow_location = 52,
  opt_no_signal = 99,
  opt_timeout_ms = 155,
  opt_connect_timeout_ms = 156,
  opt_protocols = 181,
  opt_suppress_connect_headers = 265,
  opt_write_function = 20011,
  opt_header_function = 20079,
  opt_xferinfo_function = 20219,
  opt_xferinfo_data = 10057,
  info_response_code = 0x200000 + 2,
  info_http_connect_code = 0x200000 + 22,
  info_connect_time_t = 0x600000 + 52,
  protocol_http = 1,
  protocol_https = 2,
  global_default = 3,
};

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#define SAME(ours, theirs) _Static_assert((long)(ours) == (long)(theirs), #theirs)
SAME(opt_write_data, CURLOPT_WRITEDATA);
SAME(opt_url, CURLOPT_URL);
SAME(opt_error_buffer, CURLOPT_ERRORBUFFER);
SAME(opt_user_agent, CURLOPT_USERAGENT);
SAME(opt_http_header, CURLOPT_HTTPHEADER);
SAME(opt_header_data, CURLOPT_HEADERDATA);
SAME(opt_no_progress, CURLOPT_NOPROGRESS);
SAME(opt_follow_location, CURLOPT_FOLLOWLOCATION);
SAME(opt_no_signal, CURLOPT_NOSIGNAL);
SAME(opt_timeout_ms, CURLOPT_TIMEOUT_MS);
SAME(opt_connect_timeout_ms, CURLOPT_CONNECTTIMEOUT_MS);
SAME(opt_protocols, 181);
SAME(opt_suppress_connect_headers, CURLOPT_SUPPRESS_CONNECT_HEADERS);
SAME(opt_write_function, CURLOPT_WRITEFUNCTION);
SAME(opt_header_function, CURLOPT_HEADERFUNCTION);
SAME(opt_xferinfo_function, CURLOPT_XFERINFOFUNCTION);
SAME(opt_xferinfo_data, CURLOPT_XFERINFODATA);
SAME(info_response_code, CURLINFO_RESPONSE_CODE);
SAME(info_http_connect_code, CURLINFO_HTTP_CONNECTCODE);
SAME(info_connect_time_t, CURLINFO_CONNECT_TIME_T);
SAME(protocol_http, CURLPROTO_HTTP);
SAME(protocol_https, CURLPROTO_HTTPS);
SAME(global_default, CURL_GLOBAL_DEFAULT);
SAME(256, CURL_ERROR_SIZE);
SAME(1, CURLE_UNSUPPORTED_PROTOCOL);
SAME(3, CURLE_URL_MALFORMAT);
SAME(5, CURLE_COULDNT_RESOLVE_PROXY);
SAME(6, CURLE_COULDNT_RESOLVE_HOST);
SAME(7, CURLE_COULDNT_CONNECT);
SAME(18, CURLE_PARTIAL_FILE);
SAME(23, CURLE_WRITE_ERROR);
SAME(27, CURLE_OUT_OF_MEMORY);
SAME(28, CURLE_OPERATION_TIMEDOUT);
SAME(35, CURLE_SSL_CONNECT_ERROR);
SAME(42, CURLE_ABORTED_BY_CALLBACK);
SAME(52, CURLE_GOT_NOTHING);
SAME(53, CURLE_SSL_ENGINE_NOTFOUND);
SAME(56, CURLE_RECV_ERROR);
SAME(60, CURLE_PEER_FAILED_VERIFICATION);
SAME(92, CURLE_HTTP2_STREAM);
#endif

typedef struct {
  int (*global_init)(long flags);
  void *(*easy_init)(void);
  int (*easy_setopt)(void *handle, int option, ...);
  int (*easy_perform)(void *handle);
  int (*easy_getinfo)(void *handle, int info, ...);
  void (*easy_cleanup)(void *handle);
  const char *(*easy_strerror)(int code);
  void *(*slist_append)(void *list, const char *text);
  void (*slist_free_all)(void *list);
} library;

static library lib;
static int is_loaded = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#if defined(__APPLE__)
  // With its folder: a bare name is also looked for in the current one, where anybody's file may be.
  static const char *const names[] = {"/usr/lib/libcurl.4.dylib"};
#else
  // OpenSSL's first: it reads the system's certificates on every distribution.
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  void *handle = NULL;
  for (size_t at = 0; handle == NULL && at < sizeof names / sizeof *names; at += 1) {
    handle = dlopen(names[at], RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == NULL) return;
#define FIND(member, name) (*(void **)&lib.member = dlsym(handle, name)) != NULL
  is_loaded = FIND(global_init, "curl_global_init") && FIND(easy_init, "curl_easy_init") &&
              FIND(easy_setopt, "curl_easy_setopt") && FIND(easy_perform, "curl_easy_perform") &&
              FIND(easy_getinfo, "curl_easy_getinfo") && FIND(easy_cleanup, "curl_easy_cleanup") &&
              FIND(easy_strerror, "curl_easy_strerror") &&
              FIND(slist_append, "curl_slist_append") &&
              FIND(slist_free_all, "curl_slist_free_all") &&
              lib.global_init(global_default) == 0;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
  const ccurl_request *request = context;
  return request->on_header(request->context, bytes, size * count) == 0 ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  const ccurl_request *request = context;
  return request->on_body(request->context, bytes, size * count) == 0 ? size * count : 0;
}

static int take_progress(void *context, int64_t a, int64_t b, int64_t c, int64_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const ccurl_request *request = context;
  return request->is_cancelled(request->context);
}

static ccurl_outcome outcome(int code) {
  switch (code) {
  case 0: return CCURL_OK;
  case 3: return CCURL_BAD_ADDRESS;
  // There is no room for a line too long; since version 8.6 that has a code of its own.
  case 27: case 100: return CCURL_TOO_LONG;
  case 5: return CCURL_PROXY;
  case 6: return CCURL_UNRESOLVED;
  case 7: return CCURL_UNREACHABLE;
  case 28: return CCURL_TIMEOUT;
  case 35: case 51: case 53: case 54: case 58: case 59: case 60: case 66: case 77: case 80:
  case 82: case 83: case 90: case 91: return CCURL_TLS;
  case 18: case 52: case 55: case 56: case 92: return CCURL_CUT_OFF;
  case 23: case 42: return CCURL_STOPPED;
  default: return CCURL_OTHER;
  }
}

void ccurl_get(const ccurl_request *request, ccurl_result *result) {
  memset(result, 0, sizeof *result);
  result->outcome = CCURL_NO_LIBRARY;
  pthread_once(&once, load);
  if (!is_loaded) return;
  result->outcome = CCURL_OTHER;
  void *curl = lib.easy_init();
  if (curl == NULL) return;
  void *headers = NULL;
  for (size_t at = 0; at < request->header_count; at += 1) {
    void *longer = lib.slist_append(headers, request->headers[at]);
    if (longer == NULL) break;
    headers = longer;
  }
  lib.easy_setopt(curl, opt_error_buffer, result->message);
  lib.easy_setopt(curl, opt_no_signal, 1L);
  lib.easy_setopt(curl, opt_protocols, (long)(protocol_http | protocol_https));
  lib.easy_setopt(curl, opt_follow_location, 0L);
  // The head with which a proxy makes a tunnel is not the answer.
  lib.easy_setopt(curl, opt_suppress_connect_headers, 1L);
  lib.easy_setopt(curl, opt_user_agent, request->user_agent);
  lib.easy_setopt(curl, opt_http_header, headers);
  lib.easy_setopt(curl, opt_connect_timeout_ms, request->connect_timeout_ms);
  lib.easy_setopt(curl, opt_timeout_ms, request->total_timeout_ms);
  lib.easy_setopt(curl, opt_header_function, take_header);
  lib.easy_setopt(curl, opt_header_data, (void *)request);
  lib.easy_setopt(curl, opt_write_function, take_body);
  lib.easy_setopt(curl, opt_write_data, (void *)request);
  lib.easy_setopt(curl, opt_xferinfo_function, take_progress);
  lib.easy_setopt(curl, opt_xferinfo_data, (void *)request);
  lib.easy_setopt(curl, opt_no_progress, 0L);
  int code = lib.easy_setopt(curl, opt_url, request->url);
  if (code == 0) code = lib.easy_perform(curl);
  int64_t connect_time = 0;
  long tunnel_status = 0;
  lib.easy_getinfo(curl, info_response_code, &result->status);
  lib.easy_getinfo(curl, info_connect_time_t, &connect_time);
  lib.easy_getinfo(curl, info_http_connect_code, &tunnel_status);
  result->connected = connect_time > 0;
  result->code = code;
  result->outcome = outcome(code);
  // It quotes a setting of a proxy that it cannot read, with its password.
  const int may_be_secret = strchr(result->message, '@') != NULL;
  if ((code == 56 || code == 7) && tunnel_status != 0 && tunnel_status / 100 != 2) {
    result->outcome = CCURL_PROXY;
    result->status = tunnel_status;
  }
  if (code != 0 && (result->message[0] == 0 || may_be_secret)) {
    strncpy(result->message, lib.easy_strerror(code), sizeof result->message - 1);
  }
  lib.slist_free_all(headers);
  lib.easy_cleanup(curl);
}
