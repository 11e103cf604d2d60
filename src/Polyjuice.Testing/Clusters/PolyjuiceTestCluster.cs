using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Runtime;
using Polyjuice.Contracts;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Groups;
using Polyjuice.Policies;

namespace Polyjuice.Testing;

/// <summary>
/// Orleans silos under Polyjuice in this process, and a client of theirs. They speak over connections in memory;
/// transactions, grains, membership and placement are those of a deployed cluster. Thread-safe.
/// </summary>
/// <example>
/// <code>
/// await using var cluster = await PolyjuiceTestCluster.StartAsync(options => options.Silos = 3);
/// await cluster.Grains.GetGrain&lt;IAccountGrain&gt;("ada").Deposit(100);
/// </code>
/// </example>
public sealed partial class PolyjuiceTestCluster : IAsyncDisposable
{
    private readonly PolyjuiceTestClusterOptions _options;
    private readonly ClusterLogs _logs;
    private readonly ClusterDiary _diary = new();
    private readonly SiloFleet _fleet;

    private PolyjuiceTestCluster(PolyjuiceTestClusterOptions options, ClusterLogs logs)
    {
        _options = options;
        _logs = logs;
        Network = new(options.NetworkDelay, options.Seed);
        _history = options.RecordsHistory ? new HistoryRecorder() : null;
        _fleet = new(options, Network, logs, _diary, _history);
        _evidence = new(options.EvidenceFolder, options.Seed);
    }

    /// <summary>
    /// The silos that run now or stand still, by their numbers: those of the start first, then those that joined.
    /// </summary>
    public IReadOnlyList<TestSilo> Silos => _fleet.Silos;

    /// <summary>The network between silos and client.</summary>
    public ClusterNetwork Network { get; }

    /// <summary>The client.</summary>
    public IClusterClient Client => _fleet.Cluster.Client;

    /// <summary>The client's references to grains.</summary>
    public IGrainFactory Grains => _fleet.Cluster.Client;

    /// <summary>The client's transactions.</summary>
    public ITransactionClient Transactions =>
        _fleet.Cluster.Client.ServiceProvider.GetRequiredService<ITransactionClient>();

    /// <summary>The counters of all silos that run now, summed.</summary>
    internal EngineStatistics Statistics =>
        EngineStatistics.Sum(Silos.Select(static silo => silo.Observed.Statistics));

    /// <summary>Starts one.</summary>
    /// <param name="configure">Sets the options.</param>
    /// <exception cref="OrleansConfigurationException">
    /// An option is out of its bounds; the message names it.
    /// </exception>
    public static Task<PolyjuiceTestCluster> StartAsync(Action<PolyjuiceTestClusterOptions>? configure = null)
    {
        var options = new PolyjuiceTestClusterOptions();
        configure?.Invoke(options);
        return StartAsync(options);
    }

    /// <inheritdoc cref="StartAsync(Action{PolyjuiceTestClusterOptions})"/>
    /// <param name="options">The shape; must not change afterwards.</param>
    internal static async Task<PolyjuiceTestCluster> StartAsync(PolyjuiceTestClusterOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        SiloSetup.Validate(options);
        var cluster = new PolyjuiceTestCluster(options, await ClusterLogs.OpenAsync(options).ConfigureAwait(false));
        try
        {
            await Task.WhenAll(Enumerable.Range(0, options.Silos).Select(_ => cluster._fleet.StartAsync()))
                .ConfigureAwait(false);
            await cluster._fleet.Cluster.InitializeClientAsync().ConfigureAwait(false);
            await cluster.WhenServedAsync().ConfigureAwait(false);
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Starts one silo more, which joins. Completes when it serves what is its own.</summary>
    public Task<TestSilo> StartSiloAsync() => _fleet.StartAsync();

    /// <summary>Puts a policy table in force on all silos that run now; those that join later start as before.</summary>
    /// <param name="nameOrPath">As <see cref="IPolyjuiceSilo.SwapPolicy"/> takes it.</param>
    /// <exception cref="ArgumentException">Neither a built-in table nor a path. Nothing has changed.</exception>
    /// <exception cref="PolicyFormatException">The file is not a policy. Nothing has changed.</exception>
    /// <exception cref="IOException">The file can't be read. Nothing has changed.</exception>
    public void SwapPolicy(string nameOrPath) => Swap(PolicySource.Load(nameOrPath));

    /// <summary>Puts a policy in force on all silos that run now.</summary>
    /// <param name="policy">The policy.</param>
    internal void Swap(IPolicyCompiler policy)
    {
        foreach (var silo in Silos) silo.Policies.Swap(policy);
    }

    /// <summary>
    /// The silo that a grain with transactional states lives on;
    /// <see langword="null"/> while nobody serves its log partition.
    /// </summary>
    /// <param name="grain">A reference to the grain.</param>
    public TestSilo? SiloOf(IAddressable grain)
    {
        ArgumentNullException.ThrowIfNull(grain);
        var silos = Silos;
        var owner = silos.Count == 0 ? null : silos[0].Engine.OwnerOf(grain.GetGrainId());
        return silos.FirstOrDefault(silo => silo.Address.Equals(owner));
    }

    /// <summary>The groups that the silos' grain classes declare.</summary>
    internal GrainGroups Groups => Silos[0].Services.GetRequiredService<TransactionGroups>();

    /// <summary>
    /// Stops the client, then the silos in good order, one after the
    /// other; then closes the logs that the cluster has made.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await EndFaultsAsync().ConfigureAwait(false);
        await _fleet.StopAsync().ConfigureAwait(false);
        await _logs.DisposeAsync().ConfigureAwait(false);
    }
}
