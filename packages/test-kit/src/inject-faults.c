/*
 * Preloaded into a program, this library lets the n-th call of one function fail for files inside FAULT_DIRECTORY, in the
 * program and in every process that it starts, whatever environment it gives them. The file FAULT_CONTROL has five numbers of
 * 32 bits: the function, from 1 in the order below, or 0; the number of its calls that still succeed; the error, or one of the
 * negative numbers below; whether later calls fail too; and the number of calls that failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, FSYNC, RENAME, LINK, UNLINK, CLOSE, READ, TRUNCATE };
/* The process is killed instead of the call. */
enum { KILL = -1 };

static int32_t *control;
static const char *directory;
static char variables[3][4200];

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULT_CONTROL");
  int fd = path ? open(path, O_RDWR) : -1;
  void *mapped = mmap(NULL, 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  directory = getenv("FAULT_DIRECTORY");
  if (mapped != MAP_FAILED) control = mapped;
  if (fd >= 0) close(fd);
  static const char *const names[3] = {"LD_PRELOAD", "FAULT_CONTROL", "FAULT_DIRECTORY"};
  for (int i = 0; i < 3; i++)
    snprintf(variables[i], sizeof variables[i], "%s=%s", names[i], getenv(names[i]) ? getenv(names[i]) : "");
}

static int is_inside(const char *path) {
  return directory && strncmp(path, directory, strlen(directory)) == 0;
}

static int is_open_inside(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static int is_path_inside(const char *path) {
  int fd;
  return sscanf(path, "/proc/self/fd/%d", &fd) == 1 ? is_open_inside(fd) : is_inside(path);
}

static int fails(int function, int inside) {
  if (!control || control[0] != function || !inside) return 0;
  if (__atomic_fetch_sub(&control[1], 1, __ATOMIC_SEQ_CST) > 0) return 0;
  if (__atomic_fetch_add(&control[4], 1, __ATOMIC_SEQ_CST) > 0 && !control[3]) return 0;
  if (control[2] == KILL) kill(getpid(), SIGKILL);
  errno = control[2];
  return 1;
}

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

#define OPENING(name)                                                  \
  int name(const char *path, int flags, ...) {                         \
    va_list rest;                                                      \
    va_start(rest, flags);                                             \
    mode_t mode = va_arg(rest, mode_t);                                \
    va_end(rest);                                                      \
    if (control && control[0] == OPEN && fails(OPEN, is_path_inside(path))) return -1; \
    return REAL(int, #name, const char *, int, mode_t)(path, flags, mode); \
  }
OPENING(open)
OPENING(open64)

ssize_t write(int fd, const void *bytes, size_t size) {
  if (control && control[0] == WRITE && fails(WRITE, is_open_inside(fd))) return -1;
  return REAL(ssize_t, "write", int, const void *, size_t)(fd, bytes, size);
}

#define WRITING(name)                                                  \
  ssize_t name(int fd, const void *bytes, size_t size, off_t at) {     \
    if (control && control[0] == WRITE && fails(WRITE, is_open_inside(fd))) return -1; \
    return REAL(ssize_t, #name, int, const void *, size_t, off_t)(fd, bytes, size, at); \
  }
WRITING(pwrite)
WRITING(pwrite64)

ssize_t read(int fd, void *bytes, size_t size) {
  if (control && control[0] == READ && fails(READ, is_open_inside(fd))) return -1;
  return REAL(ssize_t, "read", int, void *, size_t)(fd, bytes, size);
}

#define READING(name)                                                  \
  ssize_t name(int fd, void *bytes, size_t size, off_t at) {           \
    if (control && control[0] == READ && fails(READ, is_open_inside(fd))) return -1; \
    return REAL(ssize_t, #name, int, void *, size_t, off_t)(fd, bytes, size, at); \
  }
READING(pread)
READING(pread64)

#define SYNCING(name)                                                  \
  int name(int fd) {                                                   \
    if (control && control[0] == FSYNC && fails(FSYNC, is_open_inside(fd))) return -1; \
    return REAL(int, #name, int)(fd);                                  \
  }
SYNCING(fsync)
SYNCING(fdatasync)

#define TRUNCATING(name)                                               \
  int name(int fd, off_t size) {                                       \
    if (control && control[0] == TRUNCATE && fails(TRUNCATE, is_open_inside(fd))) return -1; \
    return REAL(int, #name, int, off_t)(fd, size);                     \
  }
TRUNCATING(ftruncate)
TRUNCATING(ftruncate64)

/* The processes that the program starts have the library too. */
int execvp(const char *file, char *const arguments[]) {
  for (int i = 0; i < 3; i++) putenv(variables[i]);
  return REAL(int, "execvp", const char *, char *const *)(file, arguments);
}

int rename(const char *from, const char *to) {
  int failed = control && control[0] == RENAME && fails(RENAME, is_path_inside(to));
  if (failed && errno != 0) return -1;
  int result = REAL(int, "rename", const char *, const char *)(from, to);
  /* Error 0: another program deletes the file at once. */
  if (failed && result == 0) REAL(int, "unlink", const char *)(to);
  return result;
}

int link(const char *from, const char *to) {
  if (control && control[0] == LINK && fails(LINK, is_path_inside(to))) return -1;
  return REAL(int, "link", const char *, const char *)(from, to);
}

int unlink(const char *path) {
  if (control && control[0] == UNLINK && fails(UNLINK, is_path_inside(path))) return -1;
  return REAL(int, "unlink", const char *)(path);
}

int close(int fd) {
  int failed = control && control[0] == CLOSE && fails(CLOSE, is_open_inside(fd));
  int error = errno;
  /* The kernel closes the descriptor in any case. */
  int result = REAL(int, "close", int)(fd);
  if (!failed) return result;
  errno = error;
  return -1;
}
