// One HTTP request through libcurl, which is opened when the first request is made: a program that
// fetches nothing starts without it, and one built without its headers can still fetch.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

typedef struct {
  // UTF-8, closed by zeros.
  const char *url;
  const char *user_agent;
  const char *const *headers; // "Name: value"
  size_t header_count;
  long connect_timeout_ms;
  long total_timeout_ms;
  void *context; // handed to the functions below
  // Each gets a line with its end; and each may return nonzero to end the transfer.
  int (*on_header)(void *context, const char *bytes, size_t count);
  int (*on_body)(void *context, const char *bytes, size_t count);
  // Asked about once a second and whenever bytes come.
  int (*is_cancelled)(void *context);
} ccurl_request;

// What became of a transfer, apart from what the functions were given.
typedef enum {
  CCURL_OK = 0,
  CCURL_NO_LIBRARY,    // libcurl is not installed
  CCURL_BAD_ADDRESS,   // not an address it can take
  CCURL_UNRESOLVED,    // no such host
  CCURL_UNREACHABLE,   // the host does not take the connection
  CCURL_TIMEOUT,       // while connecting or later: `connected` tells
  CCURL_TLS,           // no trustworthy encrypted connection
  CCURL_CUT_OFF,       // the connection ended before the body did
  CCURL_STOPPED,       // by one of the functions
  CCURL_PROXY,         // the proxy cannot be used, or refuses a tunnel with `status`
  CCURL_TOO_LONG,      // a line of the head, or no memory for it
  CCURL_OTHER
} ccurl_outcome;

typedef struct {
  ccurl_outcome outcome;
  int code;          // libcurl's own
  long status;       // of HTTP, of the proxy with CCURL_PROXY; 0 when no answer came
  int connected;     // whether a connection was made
  char message[256]; // libcurl's words, without secrets; empty when there are none
} ccurl_result;

// Makes a GET request and blocks until it is over. No redirect is followed, no content decoded, no
// other protocol spoken than HTTP and HTTPS.
void ccurl_get(const ccurl_request *request, ccurl_result *result);

#endif
