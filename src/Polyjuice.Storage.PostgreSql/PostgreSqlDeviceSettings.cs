namespace Polyjuice.Storage.PostgreSql;

/// <summary>What a device needs to know besides its database.</summary>
internal sealed record PostgreSqlDeviceSettings
{
    /// <summary>Of logs; see <see cref="Kind"/>.</summary>
    public const string Logs = "logs";

    /// <summary>Of published policies.</summary>
    public const string Policies = "policies";

    /// <summary>Of traces.</summary>
    public const string Traces = "traces";

    /// <summary>The schema that the tables are in.</summary>
    public string Schema { get; init; } = "polyjuice";

    /// <summary>
    /// What is kept: the first part of all names, so that nothing else is ever taken for part of a log.
    /// </summary>
    public string Kind { get; init; } = Logs;

    /// <summary>The second part.</summary>
    public string Prefix { get; init; } = "";

    /// <summary>How long a statement may take.</summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long the lock lasts without being renewed.</summary>
    public TimeSpan LeaseDuration { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>An object's rows have at most so many bytes.</summary>
    public int PieceBytes { get; init; } = 1 << 20;

    /// <summary>The clock of the lock's renewals; the server's says when it has ended.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
