/* platform.h (private): the operating system, as far as the core needs one. platform.c and this file are the only ones
 * that know which it is: Linux, macOS or another POSIX system, or Windows. symcf_clock is there as well.
 *
 * The core starts no threads. Threads that call it may have small stacks (512 kB on macOS), so what recurses does so at
 * most once per bit of a count (mcs_counter.c, compile.c). CUDD recurses once per variable.
 */
#ifndef SYMCF_PLATFORM_H
#define SYMCF_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#ifndef _WIN32
#include <pthread.h>
#endif

/* -------------------------------------------------------------------- threads ---------------- */

#ifdef _WIN32
typedef struct symcf_lock {
	void *handle; /* an SRWLOCK */
} symcf_lock;
typedef struct symcf_condition {
	void *handle; /* a CONDITION_VARIABLE */
} symcf_condition;
#define SYMCF_LOCK_INITIAL {0}
#else
typedef pthread_mutex_t symcf_lock;
typedef pthread_cond_t symcf_condition;
#define SYMCF_LOCK_INITIAL PTHREAD_MUTEX_INITIALIZER
#endif

/* Makes a lock and a condition that is waited for under it. ensures: false if the system is short of them. */
bool symcf_lock_open(symcf_lock *lock, symcf_condition *changed);
void symcf_lock_close(symcf_lock *lock, symcf_condition *changed);
void symcf_lock_take(symcf_lock *lock);
/* ensures: false, at once, if another thread has it. */
bool symcf_lock_try(symcf_lock *lock);
void symcf_lock_release(symcf_lock *lock);
void symcf_condition_signal(symcf_condition *changed);
/* Waits at most `seconds`, and may end earlier for no reason. requires: the lock, which is free meanwhile. */
void symcf_condition_wait(symcf_condition *changed, symcf_lock *lock, double seconds);

/* For thread-local variables. They are laid out when a thread starts: by default they are allocated at the first use, and
 * glibc ends the process if that fails. */
#ifdef __GLIBC__
#define SYMCF_LAID_OUT __attribute__((tls_model("initial-exec")))
#else
#define SYMCF_LAID_OUT
#endif

/* --------------------------------------------------------------------- memory ---------------- */

uint64_t symcf_page_size(void);
/* Bytes; UINT64_MAX where the system does not tell. */
uint64_t symcf_physical_memory(void);
/* Resident memory of the process in bytes; 0 where the system does not tell. */
uint64_t symcf_resident_memory(void);
/* Could the process take so many bytes now? Takes and gives back addresses, no memory; a few microseconds. */
bool symcf_can_map(uint64_t bytes);
/* Asks for huge pages from data + from to data + to. It does not matter if the system declines. */
void symcf_wish_huge(void *data, uint64_t from, uint64_t to);

/* Address space that becomes memory page by page.
 *
 *   symcf_map_open(bytes, offset, unit)   reserves it; data + offset is a multiple of `unit` where pages can be moved
 *   symcf_map_commit(data, from, to)      may be written from now on; POSIX systems need no such call
 *   symcf_map_drop(data, from, to)        gives whole pages back; the part that begins at 0 comes last
 *
 * requires: multiples of the page size. ensures: NULL, or false, if memory or addresses are short. */
void *symcf_map_open(uint64_t bytes, uint64_t offset, uint64_t unit);
bool symcf_map_commit(void *data, uint64_t from, uint64_t to);
void symcf_map_drop(void *data, uint64_t from, uint64_t to);

/* Can pages move from one place to another within a process? Otherwise both functions fail. */
bool symcf_map_moves(void);
/* The system may take these pages back when it is short of memory. */
bool symcf_map_mark_free(void *data, uint64_t bytes);
/* Moves pages to `place`, in place of what is mapped there. ensures: *moved; false if `place` has lost its pages. */
bool symcf_map_move(void *data, uint64_t bytes, void *place, bool *moved);

/* ------------------------------------------------------------------- libraries --------------- */

/* A library that the process has already loaded; NULL if it has not. Released by symcf_library_close. */
void *symcf_library_open(const char *path);
/* Its function of this name, or NULL. */
void *symcf_library_find(void *library, const char *name);
void symcf_library_close(void *library);

#endif
