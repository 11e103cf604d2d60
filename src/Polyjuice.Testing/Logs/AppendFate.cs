namespace Polyjuice.Testing;

/// <summary>What becomes of one append.</summary>
/// <param name="Failure">How it fails.</param>
/// <param name="Delay">How much longer it takes, or how much later it is written.</param>
internal readonly record struct AppendFate(AppendFailure Failure, TimeSpan Delay);

/// <summary>How an append fails.</summary>
internal enum AppendFailure
{
    /// <summary>It does not.</summary>
    None,

    /// <summary>Nothing is written.</summary>
    Before,

    /// <summary>It is written, and its appender hears that it failed.</summary>
    After,

    /// <summary>Its appender hears that it failed, and then it is written.</summary>
    Late,
}
