#include <sqlite3.h>

// Swift cannot call a function that takes any number of arguments.

/// Turns defensive mode on or off: SQL can then change neither the schema nor the tables behind a
/// virtual table by hand.
static inline int nearby_sqlite3_defend(sqlite3 *handle, int is_on) {
#ifdef SQLITE_DBCONFIG_DEFENSIVE
  return sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
#else
  (void)handle;
  (void)is_on;
  return SQLITE_OK;
#endif
}

/// Whether the file that a connection has open is no longer the one of its name.
static inline int nearby_sqlite3_has_moved(sqlite3 *handle) {
  int has_moved = 0;
  int result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return result == SQLITE_OK && has_moved;
}

/// Reads the first bytes of the file that a connection has open; bytes behind its end are 0. Opening it
/// once more would drop this process's locks on it.
///
/// Returns the length of the file, or -1 if it cannot be read.
static inline sqlite3_int64 nearby_sqlite3_start(sqlite3 *handle, void *bytes, int count) {
  sqlite3_file *file = 0;
  sqlite3_int64 length = -1;
  int result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK || !file || !file->pMethods) return -1;
  if (file->pMethods->xFileSize(file, &length) != SQLITE_OK) return -1;
  result = file->pMethods->xRead(file, bytes, count, 0);
  return result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ ? length : -1;
}

/// Makes the last connection that is closed remove the log; Apple's SQLite would keep it.
static inline void nearby_sqlite3_remove_log(sqlite3 *handle) {
  int is_kept = 0;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &is_kept);
}

/// Leaves the log as it is when a connection is closed.
static inline void nearby_sqlite3_keep_log(sqlite3 *handle) {
#ifdef SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
#else
  (void)handle;
#endif
}

/// Makes an unknown name in double quotes an error; without this, SQLite reads "v" as the text 'v'.
static inline int nearby_sqlite3_refuse_unknown_names(sqlite3 *handle) {
#ifdef SQLITE_DBCONFIG_DQS_DML
  return sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
#else
  (void)handle;
  return SQLITE_OK;
#endif
}
