using System.Globalization;

namespace Polyjuice.Simulation.Runs;

/// <summary>
/// Seeds of single streams of random numbers of a run, where they are not the run's own: a run that is like another
/// but for its network shares the rest with it.
/// As text <c>load=3,network=77</c>.
/// </summary>
internal readonly record struct RunStreams
{
    /// <summary>What clients ask for, of whom and when.</summary>
    public ulong? Load { get; init; }

    /// <summary>How long messages take, and which are lost, doubled and late at any time.</summary>
    public ulong? Network { get; init; }

    /// <summary>How long appends take, and which fail at any time.</summary>
    public ulong? Storage { get; init; }

    /// <summary>Which silos, clocks and owners are struck, and when.</summary>
    public ulong? Faults { get; init; }

    /// <summary>The tables of random policies.</summary>
    public ulong? Policies { get; init; }

    /// <summary>Reads them.</summary>
    /// <exception cref="ArgumentException">There is no such stream, or its seed is no number.</exception>
    public static RunStreams Parse(string text)
    {
        var streams = default(RunStreams);
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (part.Split('=') is not [var name, var number]
                || !ulong.TryParse(number, CultureInfo.InvariantCulture, out var seed))
                throw new ArgumentException($"'{part}' is no stream's seed; one is name=number.");
            streams = name.ToLowerInvariant() switch
            {
                "load" => streams with { Load = seed },
                "network" => streams with { Network = seed },
                "storage" => streams with { Storage = seed },
                "faults" => streams with { Faults = seed },
                "policies" => streams with { Policies = seed },
                _ => throw new ArgumentException(
                    $"'{name}' is no stream; there are load, network, storage, faults, policies."),
            };
        }

        return streams;
    }

    /// <inheritdoc/>
    public override string ToString()
    {
        (string Name, ulong? Seed)[] all =
        [
            ("load", Load), ("network", Network), ("storage", Storage), ("faults", Faults), ("policies", Policies)
        ];
        return string.Join(
            ',',
            all.Where(s => s.Seed is not null)
                .Select(s => string.Create(CultureInfo.InvariantCulture, $"{s.Name}={s.Seed}")));
    }
}
