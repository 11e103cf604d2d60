using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Serialization;
using Polyjuice.Contracts;
using Polyjuice.Policies;
using Polyjuice.Storage;
using Polyjuice.Testing;
using Polyjuice.Training.Cluster.Applications;

namespace Polyjuice.Training.Cluster;

/// <summary>Starts test clusters that serve an application. Used by one caller at a time.</summary>
/// <param name="application">The application.</param>
/// <param name="options">The clusters' shape.</param>
internal sealed class TestClusters(TrainedApplication application, ClusterOptions options)
{
    public ClusterOptions Options => options;

    /// <summary>
    /// The groups that the application's grain classes declare; known once a cluster has been started.
    /// </summary>
    /// <exception cref="InvalidOperationException">None has.</exception>
    public GrainGroups Groups
    {
        get => field ?? throw new InvalidOperationException("No test cluster has been started yet.");
        private set;
    }

    /// <summary>Starts one, with a table in force from the start.</summary>
    /// <param name="table">The table.</param>
    /// <param name="logs">What it begins with, and writes to.</param>
    /// <param name="isDelayed">Whether messages and appends take as long as the options say.</param>
    /// <param name="purpose">What it is for, for messages: "round 3".</param>
    /// <exception cref="ClusterFailedException">It did not start.</exception>
    public async Task<PolyjuiceTestCluster> StartAsync(
        PolicyDocument table, ILogStore logs, bool isDelayed, string purpose)
    {
        try
        {
            var cluster = await PolyjuiceTestCluster.StartAsync(shape =>
            {
                shape.Silos = options.Silos;
                shape.Logs = logs;
                shape.PolicyCompiler = new DocumentPolicy(table);
                shape.ResponseTimeout = options.ResponseTimeout;
                shape.ConfigureSilo = Configure(new DocumentPolicy(table));
                shape.ConfigureClient = Configure;
                if (!isDelayed) return;
                shape.NetworkDelay = options.NetworkDelay;
                shape.AppendDelay = options.AppendDelay;
            }).ConfigureAwait(false);
            Groups = cluster.Groups;
            return cluster;
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            throw new ClusterFailedException(
                $"{purpose}, under {table.Name}: the test cluster did not start: {CauseOf(exception)}", exception);
        }
    }

    /// <summary>What an exception says in the end, where others are around it.</summary>
    public static string CauseOf(Exception exception) =>
        exception is AggregateException { InnerExceptions: [var only, ..] } ? CauseOf(only) : exception.Message;

    private Action<ISiloBuilder> Configure(IPolicyCompiler table) => silo =>
    {
        silo.Services.AddSerializer(serializer =>
        {
            foreach (var assembly in application.Assemblies) serializer.AddAssembly(assembly);
        });
        application.ConfigureSilo?.Invoke(silo);
        GrainStorages.AddMissing(silo, application.Assemblies);

        // Whatever the application says for its own silos: it is the table that is measured, states are those of the
        // recording, and nothing is to be recorded.
        silo.Services.PostConfigure<PolyjuiceOptions>(polyjuice =>
        {
            polyjuice.PolicyCompiler = table;
            polyjuice.StateStorage = StateStorage.Log;
            polyjuice.StateStorageOf.Clear();
            polyjuice.LooksForHiddenRows = false;
            polyjuice.LogProvider = PolyjuiceOptions.DefaultLogProvider;
            polyjuice.TraceSink = null;
        });
    };

    private void Configure(IClientBuilder client)
    {
        client.Services.AddSerializer(serializer =>
        {
            foreach (var assembly in application.Assemblies) serializer.AddAssembly(assembly);
        });
        application.ConfigureClient?.Invoke(client);
    }
}
