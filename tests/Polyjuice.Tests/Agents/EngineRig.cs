using Polyjuice.Agents;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Simulation.Clusters;
using Polyjuice.Simulation.Grains;
using Polyjuice.Simulation.Network;
using Polyjuice.Simulation.Runs;
using Polyjuice.Simulation.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Tests.Agents;

/// <summary>
/// Simulated nodes whose engines a test calls directly, with bodies of its own instead of step programs.
/// </summary>
internal sealed class EngineRig
{
    private readonly Dictionary<(SimulatedNode, int), TransactionalStateCore<Account>> _states = [];

    public EngineRig(
        IPolicyCompiler? policy = null, int nodes = 1, Action<EngineOptions>? configure = null,
        ISimulatedStorage? storage = null, bool trace = false)
    {
        var options = ClusterShape.FastOptions();
        configure?.Invoke(options);
        Cluster = SimulatedCluster.Start(
            new ClusterShape
            {
                Nodes = nodes, Partitions = nodes, Accounts = 6, ThinkMax = 0, DirectoryLag = 0, Options = options,
                Policy = _ => policy ?? new FixedPolicy("plain", PolicyActions.None),
                Network = new NetworkProfile { DelayMin = 100, DelayMax = 100 },
                Storage = new StorageProfile { DelayMin = 200, DelayMax = 200 },
                Trace = trace,
                MakeStorage = storage is null ? null : (_, _, _) => storage,
            },
            seed: 1);
    }

    public SimulatedCluster Cluster { get; }

    public SimulatedNode Node => Cluster.Node(0);

    public EngineStatistics Statistics => Node.Engine.Statistics;

    public TransactionalStateCore<Account> State(int account)
    {
        if (!_states.TryGetValue((Node, account), out var state))
            _states.Add(
                (Node, account), state = Node.Engine.CreateState(Cluster.Accounts.KeyOf(account), Cluster.Codec));
        return state;
    }

    /// <summary>Starts a transaction on the engine's turn and returns at its first wait.</summary>
    public Task Start(
        string type, Func<CallFrame, Task> body, int maxAttempts = 0, CancellationToken cancellationToken = default)
    {
        Task task = Task.CompletedTask;
        var request = new TransactionRequest { Type = type, MaxAttempts = maxAttempts };
        Node.Turn(
            () => task = Node.Engine.RunAsync(request, new GrainMethod($"IRoot.{type}"), body, cancellationToken));
        return task;
    }

    /// <summary>The same for a transaction that may be run dry.</summary>
    public Task StartReconnoitred(
        string type, Func<CallFrame, Task> body, bool allows = true, bool isReadOnly = false,
        CancellationToken cancellationToken = default)
    {
        Task task = Task.CompletedTask;
        var request = new TransactionRequest { Type = type, AllowsReconnaissance = allows, IsReadOnly = isReadOnly };
        Node.Turn(
            () => task = Node.Engine.RunAsync(request, new GrainMethod($"IRoot.{type}"), body, cancellationToken));
        return task;
    }

    public Task Run(string type, Func<CallFrame, Task> body, int maxAttempts = 0)
    {
        var task = Start(type, body, maxAttempts);
        End(task);
        return task;
    }

    public void Commit(string type, Func<CallFrame, Task> body) => Assert.True(Run(type, body).IsCompletedSuccessfully);

    public void End(Task task) => Until(() => task.IsCompleted, "the transaction must end");

    /// <summary>Ends the recording, and waits until all of it is written.</summary>
    public TraceCounts StopTrace()
    {
        Task<TraceCounts>? stopping = null;
        Node.Turn(() => stopping = Node.Engine.StopTraceAsync());
        Until(() => stopping!.IsCompleted, "the recording must end");
        return stopping!.Result;
    }

    public void Until(Func<bool> condition, string what) => Cluster.Require(condition, 10_000_000, "progress", what);

    /// <summary>The task's exception, which must be the engine's word for an abort.</summary>
    public static TransactionAbortedException AbortOf(Task task) =>
        Assert.IsType<TransactionAbortedException>(task.Exception?.InnerException);

    /// <summary>An update that is the same whenever it runs again: what a resume needs.</summary>
    public ValueTask<long> Add(CallFrame frame, int account, long delta, long token) =>
        State(account).UpdateAsync(frame, state =>
        {
            state.Balance += delta;
            state.Tokens.Add(token);
            return state.Balance;
        });

    public Account Read(int account)
    {
        Account? seen = null;
        Commit(
            "Look",
            async frame =>
                seen = await State(account)
                    .ReadAsync(frame, state => new Account { Balance = state.Balance, Tokens = [.. state.Tokens] }));
        return seen!;
    }
}

/// <summary>Each site's actions by what the site is.</summary>
internal sealed class SitePolicy(string name, Func<SiteKey, PolicyActions> actions) : IPolicyCompiler
{
    public string Name => name;

    public PolicyTable Compile(SiteRegistry registry, int version)
    {
        var builder = new PolicyTableBuilder(registry, name);
        foreach (var site in builder.Sites)
            builder.SetRow(site.Id, actions(site.Key), new ushort[builder.TypeCount + 1]);
        return builder.Build(version);
    }
}
