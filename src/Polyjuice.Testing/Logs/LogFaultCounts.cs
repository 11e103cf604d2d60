namespace Polyjuice.Testing;

/// <summary>How often what has happened to logs since their <see cref="LogFaults"/> were made.</summary>
/// <param name="Appends">Appends that were neither refused nor found the disk full.</param>
/// <param name="Delayed">Those of them that took longer.</param>
/// <param name="FailedBefore">Those that failed and wrote nothing.</param>
/// <param name="FailedAfter">Those that were written and failed all the same.</param>
/// <param name="FailedLate">Those that failed at once, to be written later.</param>
/// <param name="Full">Calls that found no room.</param>
/// <param name="Refused">Calls of a silo without access.</param>
internal record struct LogFaultCounts(
    long Appends, long Delayed, long FailedBefore, long FailedAfter, long FailedLate, long Full, long Refused);
