using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.TestingHost;
using Polyjuice.Storage;

namespace Polyjuice.Testing;

/// <summary>How a test cluster's silos and client are configured.</summary>
internal static class SiloSetup
{
    // A minute by default, which a client would take to find a silo that has joined.
    private static readonly TimeSpan s_gatewayRefresh = TimeSpan.FromMilliseconds(500);

    // A second by default, for which calls to a silo fail after one connection has.
    private static readonly TimeSpan s_connectionRetry = TimeSpan.FromMilliseconds(50);

    // A minute by default, for which a silo whose gateway a client has lost keeps the answers of its grains to that
    // client for the lost connection, also those to calls that came through another gateway (dotnet/orleans#10539).
    private static readonly TimeSpan s_clientDrop = TimeSpan.FromMilliseconds(500);

    public static void Validate(object options)
    {
        var results = new List<ValidationResult>();
        if (Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true))
            return;
        throw new OrleansConfigurationException(
            $"{options.GetType().Name}: {string.Join(" ", results.Select(result => result.ErrorMessage))}");
    }

    /// <summary>The cluster, without a silo yet.</summary>
    /// <param name="options">Its shape.</param>
    /// <param name="network">Its network.</param>
    /// <param name="parts">What there is of a silo that is to be started.</param>
    /// <param name="loggers">Where silos and client log to.</param>
    /// <param name="history">Who records histories, if anybody does.</param>
    public static InProcessTestCluster Build(
        PolyjuiceTestClusterOptions options, ClusterNetwork network,
        Func<InProcessTestSiloSpecificOptions, SiloParts> parts, Func<string, ILoggerProvider> loggers,
        HistoryRecorder? history)
    {
        var builder = new InProcessTestClusterBuilder(0).IgnoreSignals();
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSiloHost(
            (specific, host) => Configure(
                host, options, network, parts(specific), loggers(specific.SiloName), history));
        builder.ConfigureClient(client =>
        {
            client.ConfigureServices(
                services => services.AddLogging(
                    logging => logging.AddProvider(loggers(ClusterNetwork.Client)).SetMinimumLevel(LogLevel.Warning)));
            client.Configure<ClientMessagingOptions>(messaging => messaging.ResponseTimeout = options.ResponseTimeout);
            client.Configure<GatewayOptions>(gateways => gateways.GatewayListRefreshPeriod = s_gatewayRefresh);
            client.Configure<ConnectionOptions>(connections => connections.ConnectionRetryDelay = s_connectionRetry);
            client.UsePolyjuice();
            client.UseNetwork(network);
            options.ConfigureClient?.Invoke(client);
        });
        return builder.Build();
    }

    private static void Configure(
        IHostApplicationBuilder host, PolyjuiceTestClusterOptions options, ClusterNetwork network, SiloParts parts,
        ILoggerProvider logger, HistoryRecorder? history)
    {
        host.UseOrleans(silo =>
        {
            silo.ConfigureLogging(logging => logging.AddProvider(logger).SetMinimumLevel(LogLevel.Warning));
            silo.Configure<SiloMessagingOptions>(messaging =>
            {
                messaging.ResponseTimeout = options.ResponseTimeout;
                messaging.ClientDropTimeout = s_clientDrop;
            });
            silo.Configure<ConnectionOptions>(connections => connections.ConnectionRetryDelay = s_connectionRetry);
            if (options.PolicyStore is { } policies) silo.Services.AddSingleton(policies);
            silo.UsePolyjuice(polyjuice =>
            {
                if (options.Policy is { } policy) polyjuice.Policy = policy;
                polyjuice.PolicyCompiler = options.PolicyCompiler;
                polyjuice.EnginesPerSilo = options.EnginesPerSilo;
                options.ConfigureEngine?.Invoke(polyjuice.Engine);
            });
            silo.Services.AddKeyedSingleton<ILogStoreProvider>(PolyjuiceOptions.DefaultLogProvider, parts);
            silo.Services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(parts);
            silo.UseNetwork(network, parts.Node);
            if (history is not null) silo.RecordHistory(history);
            options.ConfigureSilo?.Invoke(silo);
        });
        host.ConfigureContainer(new MembershipTables(parts.Node));
    }
}
