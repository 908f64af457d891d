#include <sqlite3.h>

/// Turns defensive mode on or off: SQL can then change neither the schema nor the tables behind a
/// virtual table by hand. Swift cannot call a function that takes any number of arguments.
static inline int nearby_sqlite3_defend(sqlite3 *handle, int is_on) {
#ifdef SQLITE_DBCONFIG_DEFENSIVE
  return sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
#else
  (void)handle;
  (void)is_on;
  return SQLITE_OK;
#endif
}
