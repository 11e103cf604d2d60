using System.Globalization;

namespace Polyjuice.Orleans.Benchmarks;

/// <summary>What is compared: an engine, with what it stores in.</summary>
/// <param name="Engine">"orleans", a policy of Polyjuice's, or for plain calls "plain" (nothing is registered), "plain-incoming", "plain-outgoing", "plain-both" (call filters that do nothing) or "plain-beside" (the engine is on).</param>
/// <param name="LockMilliseconds">Orleans' lock time-outs, if they are not its defaults.</param>
/// <param name="IsInRows">Whether Polyjuice keeps states with the same storage provider as Orleans' engine, and not in its log.</param>
internal sealed record Arm(string Engine, int? LockMilliseconds, bool IsInRows)
{
    private const string Rows = "@rows";

    /// <summary>How it is written: <c>orleans</c>, <c>orleans:50</c> (lock time-outs of 50 ms), <c>occ</c>, <c>occ@rows</c>.</summary>
    public string Name => $"{Engine}{(LockMilliseconds is { } milliseconds ? $":{milliseconds}" : "")}{(IsInRows && !IsOrleans ? Rows : "")}";

    /// <summary>Whether no transactions are made.</summary>
    public bool IsPlain => Engine.StartsWith("plain", StringComparison.Ordinal);

    /// <summary>Whether this is Orleans' own engine.</summary>
    public bool IsOrleans => Engine == "orleans";

    /// <summary>Whether its silos have an incoming filter that does nothing.</summary>
    public bool HasIncomingFilter => Engine is "plain-incoming" or "plain-both";

    /// <summary>Whether its silos have an outgoing filter that does nothing.</summary>
    public bool HasOutgoingFilter => Engine is "plain-outgoing" or "plain-both";

    /// <summary>Whether somebody has set its lock time-outs by hand.</summary>
    public bool IsTuned => LockMilliseconds is not null;

    /// <summary>The policy that silos run, if they run Polyjuice.</summary>
    public string? Policy => Engine switch
    {
        "plain-beside" => "occ",
        "orleans" => null,
        _ => IsPlain ? null : Engine,
    };

    /// <summary>The reverse of <see cref="Name"/>.</summary>
    public static Arm Parse(string name)
    {
        var isInRows = name.EndsWith(Rows, StringComparison.Ordinal);
        var parts = (isInRows ? name[..^Rows.Length] : name).Split(':');
        return new(parts[0], parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : null, isInRows || parts[0] == "orleans");
    }
}
