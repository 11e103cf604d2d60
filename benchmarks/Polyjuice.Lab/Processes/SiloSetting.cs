using System.Globalization;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>What a silo in a process of its own is told.</summary>
internal sealed record SiloSetting
{
    /// <summary>
    /// The environment variable with the storage account's connection string.
    /// Not an argument, because those can be seen by all users of a machine.
    /// </summary>
    public const string StorageVariable = "POLYJUICE_LAB_STORAGE";

    /// <summary>What a silo says once it serves.</summary>
    public const string Ready = "ready";

    /// <summary>The cluster, which is also the logs' container.</summary>
    public required string Cluster { get; init; }

    /// <summary>Where other silos reach it.</summary>
    public required int SiloPort { get; init; }

    /// <summary>Where clients reach it.</summary>
    public required int GatewayPort { get; init; }

    /// <summary>Who runs transactions.</summary>
    public required ProcessEngine Engine { get; init; }

    /// <summary>A folder for logs in files; <see langword="null"/> for blobs.</summary>
    public string? Folder { get; init; }

    /// <summary>Log partitions.</summary>
    public required int Partitions { get; init; }

    /// <summary>Of the tables that it puts in force one after the other.</summary>
    public required int Seed { get; init; }

    /// <summary>How far the clock of its transactions is ahead of the machine's.</summary>
    public TimeSpan ClockShift { get; init; }

    /// <summary>How long callers wait for an answer.</summary>
    public required TimeSpan ResponseTimeout { get; init; }

    /// <summary>The same as arguments of the command.</summary>
    public IEnumerable<string> Arguments()
    {
        string Text(IFormattable value) => value.ToString(null, CultureInfo.InvariantCulture);
        string[] all =
        [
            "--cluster", Cluster, "--silo-port", Text(SiloPort), "--gateway-port", Text(GatewayPort), "--engine",
            Engine.ToString().ToLowerInvariant(), "--partitions", Text(Partitions), "--seed", Text(Seed),
            "--clock-shift", Text(ClockShift.TotalMilliseconds), "--response-timeout",
            Text(ResponseTimeout.TotalSeconds),
        ];
        return Folder is null ? all : [.. all, "--folder", Folder];
    }
}

/// <summary>Who runs transactions.</summary>
internal enum ProcessEngine
{
    /// <summary>Polyjuice.</summary>
    Polyjuice,

    /// <summary>Orleans' own.</summary>
    Orleans,
}
