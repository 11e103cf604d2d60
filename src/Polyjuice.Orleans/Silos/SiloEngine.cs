using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Engine;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.States;
using Polyjuice.Orleans.Turns;

namespace Polyjuice.Orleans.Silos;

/// <summary>
/// One of a silo's engines, which is a node of the protocol, and the parts around it: its turn, and what of the silo's
/// log partitions, rows and grains is its own. To the protocol the other engines of the silo are as far away as those
/// of other silos, only that messages to them travel in memory, and that all of them end together. A thread is on the
/// turn of one engine at the most. Thread-safe where it doesn't say otherwise.
/// </summary>
/// <remarks>
/// A part knows only parts that were built before it. The turn and the engine call back: the turn through what it runs
/// at its end, which is set here; the engine through <see cref="IEngineHost"/>.
/// </remarks>
internal sealed class SiloEngine
{
    private readonly SiloParts _silo;

    public SiloEngine(int number, SiloParts silo)
    {
        _silo = silo;
        var (places, options, logger) = (silo.Places, silo.Options, silo.Logger);
        Self = new EngineIdentity(silo.Self, number);
        Turn = new EngineTurn(logger, silo.Clock);
        Life = new EngineLife(Self, silo.Life);
        GrainTurns = new GrainTurns(Turn, Life);
        Reports = new KeptReports(Turn, Life);

        // What serves the engine's share of the states.
        Partitions = new ServedPartitions(Self, Turn, Life, places, options);
        TakeOvers = new PartitionTakeOvers(
            Self, Turn, Life, places, Partitions, silo.Clock ?? TimeProvider.System, logger);
        HiddenStates = new HiddenStates(Turn, Life, silo.Logs, places);
        Rows = new ServedRows(Self, Turn, Life, places, Partitions, HiddenStates, options, logger);

        // What goes to other grains and engines.
        Loads = new GrainLoads(Turn, Life, silo.Services, logger);
        silo.Mail.Add(new EngineInbox(Turn, Life, logger));
        Mail = new EngineMail(Self, Turn, silo.Mail, silo.Services, places);
        Host = new SiloEngineHost(Self, Turn, Life, places, silo.Groups, Loads, Rows, silo.Wakes, Mail);
        Turn.Flush = Host.Flush;
        Turn.AfterFlush = Mail.Deliver;
    }

    /// <summary>Which of the silo's engines it is.</summary>
    public EngineIdentity Self { get; }

    /// <summary>The silo.</summary>
    public SiloAddress Silo => Self.Silo;

    /// <summary>The engine as a node.</summary>
    public NodeId Node => Self.Node;

    /// <summary>Its turn.</summary>
    public EngineTurn Turn { get; }

    /// <summary>Whether the engine is there.</summary>
    public EngineLife Life { get; }

    /// <inheritdoc cref="EngineLife.Engine"/>
    public TransactionEngine Engine => Life.Engine;

    /// <summary>What the engine lives in.</summary>
    public SiloEngineHost Host { get; }

    // Its own parts.
    public GrainTurns GrainTurns { get; }
    public KeptReports Reports { get; }
    public ServedPartitions Partitions { get; }
    public PartitionTakeOvers TakeOvers { get; }
    public HiddenStates HiddenStates { get; }
    public ServedRows Rows { get; }
    public GrainLoads Loads { get; }
    public EngineMail Mail { get; }

    // The silo's.
    public SiloLimits Limits => _silo.Limits;
    public ReentrancyHints Hints => _silo.Hints;
    public GrainPlaces Places => _silo.Places;
    public ILogger Logger => _silo.Logger;

    /// <summary>The logs are open: the engine begins.</summary>
    /// <param name="make">Makes it. On its turn.</param>
    public void Open(Func<SiloEngine, TransactionEngine> make)
    {
        using (Turn.Enter()) Life.Open(make(this));
    }

    /// <summary>The engine ends, if it has begun, and says so to the others.</summary>
    /// <returns>Completes when its trace is written, if it has one.</returns>
    public Task Stop()
    {
        if (Life.Opened is not { } engine) return Task.CompletedTask;
        Task traceWritten;
        using (Turn.Enter())
        {
            engine.Stop();
            traceWritten = Polyjuice.Tracing.EngineTraces.StopTraceAsync(engine);
        }

        Mail.Deliver();
        return traceWritten;
    }
}
