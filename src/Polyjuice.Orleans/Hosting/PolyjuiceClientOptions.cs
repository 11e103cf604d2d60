using System.ComponentModel.DataAnnotations;

namespace Orleans.Configuration;

/// <summary>How a client of the cluster starts transactions. Validated at start, with the option's name.</summary>
public sealed class PolyjuiceClientOptions
{
    /// <summary>
    /// How many calls that start a transaction the client sends before one of them is answered; others wait for their
    /// turn to be sent. 0, the default: as many as keep a short queue at the silos, found out while it runs. 1 to
    /// 1,000,000 for a fixed number.
    /// </summary>
    [Range(0, 1_000_000)]
    public int UnansweredCalls { get; set; }

    /// <summary>
    /// How long a call waits for its turn to be sent at the most. One that would wait longer, or has, ends with an
    /// <c>OrleansStartTransactionFailedException</c> around an <c>OrleansTransactionOverloadException</c>: nothing of
    /// it has run. Default 5 s; 0 to 10 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:10:00")]
    public TimeSpan StartWait { get; set; } = TimeSpan.FromSeconds(5);
}
