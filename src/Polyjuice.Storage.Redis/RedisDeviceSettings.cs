namespace Polyjuice.Storage.Redis;

/// <summary>What a device needs to know besides its server.</summary>
internal sealed record RedisDeviceSettings
{
    /// <summary>Of logs; see <see cref="Kind"/>.</summary>
    public const string Logs = "logs";

    /// <summary>Of published policies.</summary>
    public const string Policies = "policies";

    /// <summary>Of traces.</summary>
    public const string Traces = "traces";

    /// <summary>
    /// What is kept: the second part of all keys, so that nothing else is ever taken for part of a log.
    /// </summary>
    public string Kind { get; init; } = Logs;

    /// <summary>The first part.</summary>
    public string Prefix { get; init; } = "polyjuice";

    /// <summary>How long the lock lasts without being renewed.</summary>
    public TimeSpan LeaseDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>An object is kept in pieces of so many bytes.</summary>
    public int PieceBytes { get; init; } = 1 << 20;

    /// <summary>The clock of the lock's renewals; the server's says when it has ended.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
