using Polyjuice.Policies;

namespace Polyjuice.Publishing;

/// <summary>One entry of what was published. Immutable.</summary>
internal abstract record PolicyEntry
{
    /// <summary>The latest schema version of entries that this build reads, and the one that it writes.</summary>
    public const int CurrentSchema = 1;

    /// <summary>From 1, without gaps.</summary>
    public required int Number { get; init; }

    /// <summary>When it was made, by the clock of who made it; to the second, in UTC.</summary>
    public required DateTimeOffset At { get; init; }

    /// <summary>Who made it, for people: nothing proves it but the signature.</summary>
    public required string By { get; init; }

    /// <summary>SHA-256 of all bytes of the entry before it, in hexadecimal; empty for the first.</summary>
    public required string Previous { get; init; }

    /// <summary>Who vouches for it; <see langword="null"/> if nobody does.</summary>
    public PolicySignature? Signature { get; init; }
}

/// <summary>A policy that was published: from here on it is in force.</summary>
internal sealed record PolicyRelease : PolicyEntry
{
    /// <summary>The policy's name, as its document says it.</summary>
    public required string Name { get; init; }

    /// <summary>The policy document, as <see cref="PolicyReader"/> reads it.</summary>
    public required string Policy { get; init; }

    /// <summary>Where it came from (<c>NAME.provenance.json</c>), as it was given; empty if nothing was.</summary>
    public string Provenance { get; init; } = "";
}

/// <summary>A release that was taken back: from here on an earlier one is in force again.</summary>
internal sealed record PolicyRollback : PolicyEntry
{
    /// <summary>The release that is not to be taken any more; the one that was in force before.</summary>
    public required int Of { get; init; }

    /// <summary>The release that is in force again; 0 is what each silo was started with.</summary>
    public required int To { get; init; }

    /// <summary>Why, for people.</summary>
    public required string Reason { get; init; }
}

/// <summary>A signature of an entry: ECDSA on P-256 of the entry's SHA-256.</summary>
/// <param name="Key">Which key made it: <see cref="PolicyVerificationKey.Id"/>.</param>
/// <param name="Value">r and s, 32 bytes each, in base64.</param>
internal sealed record PolicySignature(string Key, string Value);
