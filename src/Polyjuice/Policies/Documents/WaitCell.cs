namespace Polyjuice.Policies;

/// <summary>What a wait cell asks for.</summary>
internal enum WaitUntil : byte
{
    /// <summary>Do not wait.</summary>
    No,

    /// <summary>Until the dependency has finished a site of its type and all before it.</summary>
    Site,

    /// <summary>Until the dependency is sealed or aborted.</summary>
    Sealed,
}

/// <summary>
/// One wait cell of a policy document: what to wait for, before an access, at dependencies of one transaction type.
/// </summary>
/// <param name="Until">What to wait for.</param>
/// <param name="Site">The site's name, for <see cref="WaitUntil.Site"/>; otherwise <see langword="null"/>.</param>
internal readonly record struct WaitCell(WaitUntil Until, string? Site = null)
{
    /// <summary>How policy files write "do not wait".</summary>
    public const string NoText = "no";

    /// <summary>How policy files write "until it is sealed or aborted".</summary>
    public const string SealedText = "sealed";

    /// <summary>Do not wait.</summary>
    public static WaitCell No => default;

    /// <summary>Until the dependency is sealed or aborted.</summary>
    public static WaitCell Sealed => new(WaitUntil.Sealed);

    /// <summary>Until the dependency has finished that site.</summary>
    public static WaitCell For(string site) => new(WaitUntil.Site, site);

    /// <summary>Reads the notation of policy files: "no", "sealed", or the name of a site.</summary>
    public static WaitCell Parse(string text) => text switch
    {
        NoText => No,
        SealedText => Sealed,
        _ => For(text),
    };

    /// <summary>The notation of policy files.</summary>
    public override string ToString() => Until switch
    {
        WaitUntil.No => NoText,
        WaitUntil.Sealed => SealedText,
        _ => Site!,
    };
}
