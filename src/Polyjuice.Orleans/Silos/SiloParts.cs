using Microsoft.Extensions.Logging;
using Orleans.Configuration;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.States;

namespace Polyjuice.Orleans.Silos;

/// <summary>What there is one of for each silo, and what all of its engines use. Immutable.</summary>
internal sealed class SiloParts
{
    /// <summary>Which silo it is.</summary>
    public required SiloIdentity Self { get; init; }

    /// <summary>How far its end has come.</summary>
    public required SiloLife Life { get; init; }

    /// <summary>How transactions run.</summary>
    public required PolyjuiceOptions Options { get; init; }

    /// <summary>How long calls, transactions and accesses may take.</summary>
    public required SiloLimits Limits { get; init; }

    /// <summary>Which grain classes should be reentrant.</summary>
    public required ReentrancyHints Hints { get; init; }

    /// <summary>Its logs.</summary>
    public required SiloLogs Logs { get; init; }

    /// <summary>The groups of its grain classes.</summary>
    public required TransactionGroups Groups { get; init; }

    /// <summary>Where grains belong.</summary>
    public required GrainPlaces Places { get; init; }

    /// <summary>What is Orleans'.</summary>
    public required SiloServices Services { get; init; }

    /// <summary>Where its engines get their messages.</summary>
    public required SiloMail Mail { get; init; }

    /// <summary>Activates grains for their rows.</summary>
    public required RowWakes Wakes { get; init; }

    /// <summary>For what belongs to this host.</summary>
    public required ILogger Logger { get; init; }

    /// <summary>The clock that transactions go by; the system's by default.</summary>
    public TimeProvider? Clock { get; init; }
}
