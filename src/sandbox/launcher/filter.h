/* filter: puts a seccomp filter together, step by step, and has the kernel take it. */
#ifndef AGON_FILTER_H
#define AGON_FILTER_H
#include <stdint.h>

/* The kernel's own headers are not everywhere; these are its numbers. Of another architecture agon knows no calls. */
#if defined __x86_64__
#define ARCHITECTURE 0xc000003eu
#elif defined __aarch64__
#define ARCHITECTURE 0xc00000b7u
#endif

enum { LOAD = 0x20, EQUAL = 0x15, ABOVE = 0x25, ANY_BIT = 0x45, KEEP_BITS = 0x54, RETURN = 0x06 };
/* A filter's verdict on a call. ERROR: with an errno in its lower bits. */
#define VERDICT_KILL 0x80000000u
#define VERDICT_ERROR 0x00050000u
#define VERDICT_NOTIFY 0x7fc00000u
#define VERDICT_ALLOW 0x7fff0000u
/* Where a call's number, its architecture, and the halves of its arguments lie. */
#define AT_CALL 0u
#define AT_ARCHITECTURE 4u
#define AT_LOW(i) (16u + 8u * (i))
#define AT_HIGH(i) (20u + 8u * (i))

/* Appends a step; `yes` and `no` are how many steps are skipped. Dies where there is no room for it. */
void step(uint16_t code, uint8_t yes, uint8_t no, uint32_t value);

/*
 * Where an argument of a call is one of these, allows it, else comes to `other`. The argument is the lower 32 bits. The
 * call's number is loaded before and, where it is another, after it.
 */
void step_argument(uint32_t call, int argument, const uint32_t *values, int count, uint32_t other);

/*
 * Has the kernel take what was put together, with seccomp's flags; what it was is forgotten. Gives what seccomp gives.
 */
int install_filter(unsigned flags);

#endif
