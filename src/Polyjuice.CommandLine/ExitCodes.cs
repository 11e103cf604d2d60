namespace Polyjuice.CommandLine;

/// <summary>What the tool tells its caller.</summary>
internal static class ExitCodes
{
    /// <summary>It did what was asked.</summary>
    public const int Done = 0;

    /// <summary>It did, and the answer is no: the policy is not valid, or the policies differ.</summary>
    public const int No = 1;

    /// <summary>It could not: wrong usage, or input that cannot be read or used.</summary>
    public const int Refused = 2;

    /// <summary>Somebody ended it before it was done (as shells say of a command that Ctrl+C ended).</summary>
    public const int Cancelled = 130;
}
