using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Events;

namespace Polyjuice.Training.Replay;

/// <summary>
/// Silos on one event loop in virtual time that run a workload's programs under a table, and the clients of a closed
/// loop. The same workload, table, settings and seed give the same run, event for event. Everything happens on the
/// calling thread, and nothing is shared but what is immutable, so several replays may run at a time.
/// </summary>
internal sealed class ReplayCluster : IDisposable
{
    private readonly Dictionary<(int Type, bool ReadOnly), TransactionRequest> _requests = [];
    private readonly ReplayAccessSet _accessSet;
    private readonly ReplayMeter _meter;
    private readonly int[] _order;
    private int _next;

    private ReplayCluster(
        ReplayWorkload workload, IPolicyCompiler policy, ReplaySettings settings, ReplayPart part, ulong seed)
    {
        Workload = workload;
        Settings = settings;
        _accessSet = new ReplayAccessSet(workload);
        var random = new SimulationRandom(SimulationRandom.Mix(seed ^ 0x7EA1));
        _order = workload.ProgramsOf(part);
        _next = random.Next(_order.Length);

        // One registry, as silos of one process share it. It knows all sites
        // before the first transaction, so that a table is compiled once.
        var registry = workload.CreateRegistry();
        var policies = new PolicyStore(registry, policy);
        Nodes = new ReplayNode[settings.Silos];
        _meter = new ReplayMeter(this);
        for (var i = 0; i < Nodes.Length; i++) Nodes[i] = new ReplayNode(this, i, policies, random.Fork((ulong)i + 1));
    }

    public ReplayWorkload Workload { get; }

    public ReplaySettings Settings { get; }

    public EventLoop Loop { get; } = new();

    public ReplayNode[] Nodes { get; }

    /// <summary>Runs to the end.</summary>
    /// <param name="workload">What clients do.</param>
    /// <param name="policy">Under which table.</param>
    /// <param name="settings">Valid ones.</param>
    /// <param name="part">
    /// Which transactions, in the order of the trace; from the last one on to the first again.
    /// </param>
    /// <param name="seed">Where clients begin in that order, and all that engines draw.</param>
    /// <exception cref="ReplayFailedException">The engine or the replay is broken.</exception>
    public static ReplayScore Run(
        ReplayWorkload workload, IPolicyCompiler policy, ReplaySettings settings, ReplayPart part, ulong seed)
    {
        using var cluster = new ReplayCluster(workload, policy, settings, part, seed);
        try
        {
            return cluster.Run();
        }
        catch (Exception e) when (e is not ReplayFailedException)
        {
            throw new ReplayFailedException(
                $"The replay under {policy.Name} with seed {seed} broke at {cluster.Loop.Now} µs: {e.Message}", e);
        }
    }

    /// <summary>A client hears that its transaction has ended.</summary>
    public void Ended(ReplayBody body)
    {
        var aborted = body.Failure as ReplayAbortedException;
        if (body.Failure is not null && aborted is null)
            throw new ReplayFailedException(
                $"A transaction of {Workload.Types[body.Program.Type]} ended with {body.Failure}", body.Failure);
        var isRefused = aborted is { Abort.Reason: AbortReason.UserException };
        if (isRefused && aborted!.InnerException is not ReplayRefusedException)
            throw new ReplayFailedException(
                $"A body of {Workload.Types[body.Program.Type]} threw {aborted.InnerException}",
                aborted.InnerException);
        var isDone = aborted is null || isRefused;
        if (aborted is null) _meter.Committed(Loop.Now - body.Started);
        else if (!isDone) _meter.Failed();

        // What was given up is tried again until it is done: otherwise a table could
        // gain by never finishing the types that cost most (the paper's §7.1).
        if (isDone) BeginNext(body.Client);
        else Begin(new ReplayBody(this, body.Client, body.Program, body.Started));
    }

    public TransactionRequest RequestOf(ReplayProgram program)
    {
        if (_requests.TryGetValue((program.Type, program.IsReadOnly), out var known)) return known;
        var request = new TransactionRequest
        {
            Type = Workload.Types[program.Type], IsReadOnly = program.IsReadOnly, AllowsReconnaissance = false,
            AccessSet = Settings.DeclaresAccesses ? _accessSet : null,
        };
        _requests.Add((program.Type, program.IsReadOnly), request);
        return request;
    }

    /// <summary>Engines keep a meter, which the process would keep for ever.</summary>
    public void Dispose()
    {
        foreach (var node in Nodes) node?.Engine?.Metrics.Dispose();
    }

    private ReplayScore Run()
    {
        foreach (var node in Nodes) node.Post(static state => ((ReplayNode)state!).Acquire(), node);
        while (!Array.TrueForAll(Nodes, static node => node.IsServing))
        {
            if (!Loop.Step() || Loop.Now > Settings.VirtualMax)
                throw new ReplayFailedException("The silos do not come to serve their partitions.");
        }

        // One after the other, as connections are made.
        for (var client = 0; client < Settings.Clients; client++)
        {
            var index = client;
            Loop.Queue(client, EventKind.Client, client, () => BeginNext(index));
        }

        _meter.Begin();
        while (!_meter.IsOver)
        {
            if (Loop.Now > Settings.VirtualMax || Loop.EventsRun > Settings.EventsMax) return _meter.Score(isCut: true);
            if (!Loop.Step()) throw new ReplayFailedException("Nothing is left to happen, and clients wait.");
        }

        if (Array.Find(Nodes, static node => node.Engine.HasFailed) is { } failed)
            throw new ReplayFailedException(
                $"The engine of silo {failed.Index} has stopped because an invariant is broken.");
        return _meter.Score(isCut: false);
    }

    private void BeginNext(int client)
    {
        var program = Workload.Programs[_order[_next]];
        _next = _next + 1 == _order.Length ? 0 : _next + 1;
        Begin(new ReplayBody(this, client, program, Loop.Now));
    }

    private void Begin(ReplayBody body)
    {
        var agent = Nodes[body.Program.Root.Silo];
        Loop.Queue(
            Settings.NetworkMicroseconds,
            EventKind.Client,
            body.Client,
            () => agent.Post(static state => ((ReplayBody)state!).Begin(), body));
    }
}
