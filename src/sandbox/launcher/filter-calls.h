/* filter-calls: which system calls a bot has (calls.h). */
#ifndef AGON_FILTER_CALLS_H
#define AGON_FILTER_CALLS_H

/* `alike`: no memory that is shared and has no file. Gives whether that holds. */
int restrict_calls(int alike);

#endif
