using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Runtime.GrainDirectory;
using Orleans.Runtime.Placement;
using Orleans.Serialization.Configuration;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Groups;
using Polyjuice.Orleans.Health;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Orleans.Idempotency;
using Polyjuice.Orleans.Outboxes;
using Polyjuice.Orleans.Rows;
using Polyjuice.Orleans.Silos;
using Polyjuice.Orleans.States;
using Polyjuice.Orleans.Transactions;
using Polyjuice.Orleans.Turns;
using Polyjuice.Policies;

namespace Orleans.Hosting;

/// <summary>
/// Runs transactions of silos under Polyjuice, and adds what they need: logs, published policies, traces, senders of
/// outboxes.
/// </summary>
public static partial class PolyjuiceSiloBuilderExtensions
{
    /// <summary>
    /// Runs transactions under Polyjuice's engine and policies, in place of <c>UseTransactions()</c>. All silos of a
    /// cluster must. Options, logs and where policies are published come from the section <c>Polyjuice</c> of the
    /// silo's configuration, too; what the code says goes before it. Once for a silo: another call adds its options to
    /// those before, and is warned about.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder UsePolyjuice(this ISiloBuilder builder, Action<PolyjuiceOptions>? configure = null) =>
        builder.UsePolyjuice((OptionsBuilder<PolyjuiceOptions> options) =>
        {
            if (configure is not null) options.Configure(configure);
        });

    /// <inheritdoc cref="UsePolyjuice(ISiloBuilder, Action{PolyjuiceOptions})"/>
    public static ISiloBuilder UsePolyjuice(
        this ISiloBuilder builder, Action<OptionsBuilder<PolyjuiceOptions>> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        var services = builder.Services;
        var use = PolyjuiceUse.Of(services);
        if (use is null) PolyjuiceConfiguration.Apply(builder);
        configure(services.AddOptions<PolyjuiceOptions>());
        if (use is not null)
        {
            use.Times++;
            return builder;
        }

        services.AddSingleton(new PolyjuiceUse { IsBesideOrleans = services.Has<ITransactionAgent>() });

        services.AddSingleton(new AddedLogs(services));

        // Orleans' own registration brings what is not replaced: the attributes'
        // mappers, the copier, the client that keeps the ambient transaction.
        builder.UseTransactions();
        services.AddSingleton<IGroupRules, DeclaredGroupRules>();
        services.AddSingleton<TransactionGroups>();
        services.AddSiloEngine();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, EngineGuard>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, LogGuard>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, GroupGuard>();
        services.AddSingleton<IConfigurationValidator, PolyjuiceConfigurationValidator>();
        services.AddSingleton<AbortExceptionFactory>();
        services.AddSingleton<TransactionAdmission>();
        services.AddSingleton<OpenTransactions>();
        services.AddSingleton<Refusals>();
        services.AddSingleton(static provider =>
        {
            var options = provider.GetRequiredService<IOptions<PolyjuiceOptions>>().Value;
            var messaging = provider.GetRequiredService<IOptions<SiloMessagingOptions>>().Value;
            return new UnansweredCalls(
                options.UnansweredCalls, options.StartWait, messaging.ResponseTimeout,
                provider.GetService<IMeterFactory>());
        });
        services.AddSingleton<EngineServiceClient>();
        services.AddSingleton<IEngineLink>(provider => provider.GetRequiredService<EngineServiceClient>());
        builder.AddGrainService<EngineService>();
        services.AddSingleton(provider => new MemoryLogProvider(
            "", provider.GetRequiredService<IOptionsMonitor<MemoryLogOptions>>(),
            provider.GetRequiredService<IOptions<ClusterOptions>>(),
            provider.GetRequiredService<IOptions<PolyjuiceOptions>>()));
        services.TryAddSingleton(provider =>
        {
            var options = provider.GetRequiredService<IOptions<PolyjuiceOptions>>().Value;
            return new PolicyStore(new SiteRegistry(), options.FirstPolicy());
        });

        services.AddSingleton<ITransactionTypes, TransactionTypes>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, PolicyTypesWatch>();
        services.AddSingleton<GrainCatalogue>();
        services.AddSingleton<CallAccessSets>();
        services.AddSingleton<TurnKeepers>();
        services.AddSingleton<IncomingFilters>();
        services.AddSingleton(
            static provider => new ReceivedCalls(provider.GetService<TimeProvider>() ?? TimeProvider.System));
        services.AddSingleton(
            static provider => new IdempotencyClock(provider.GetService<TimeProvider>() ?? TimeProvider.System));
        services.AddSingleton<IdempotentCalls>();
        services.AddSingleton<OutboxMetrics>();
        services.AddSingleton<OutboxDispatch>();
        services.AddSingleton<ITransactionalOutbox, TransactionalOutbox>();
        services.AddSingleton<IOutboxParking, OutboxParking>();
        services.AddSingleton<IncomingCalls>();
        services.AddSingleton<OutgoingCalls>();
        services.AddTransactionCalls<SiloCallEnds>();

        // Requests that clients have sent are taken over as they are read.
        services.AddSingleton<IPostConfigureOptions<TypeManifestOptions>>(
            provider => provider.GetRequiredService<CallCodecs>());
        services.Replace(ServiceDescriptor.Singleton<ITransactionAgent, TransactionAgent>());
        services.AddSingleton<TransactionalStateFactory>();
        services.Replace(
            ServiceDescriptor.Singleton<ITransactionalStateFactory>(
                provider => provider.GetRequiredService<TransactionalStateFactory>()));
        services.Replace(ServiceDescriptor.Singleton<ITransactionCommitterFactory, TransactionCommitterFactory>());
        services.AddSingleton(typeof(OrleansStateCodec<>));
        services.AddSingleton<StateStorageResolver>();
        services.AddSingleton<IGrainPropertiesProvider, StateStorageProperties>();
        services.AddSingleton<IGrainPropertiesProvider, GroupProperties>();
        services.AddSingleton<ProviderFormat>();
        services.AddSingleton<IRowDrain, RowDrain>();
        builder.AddGrainExtension<IRowExtension, RowExtension>();
        builder.AddGrainExtension<IGrainLoading, GrainLoading>();
        services.Decorate<ITransactionClient>(static (inner, provider) => new TransactionClient(
            inner, provider.GetRequiredService<GrainEngines>(), provider.GetRequiredService<SiloLimits>(),
            provider.GetRequiredService<TransactionAdmission>(), provider.GetRequiredService<TransactionFailures>(),
            provider.GetRequiredService<IGrainContextAccessor>()));

        services.AddSingleton<PartitionPlacementResolver>();
        services.AddSingleton<IPlacementStrategyResolver>(
            provider => provider.GetRequiredService<PartitionPlacementResolver>());
        services.AddSingleton<IGrainPropertiesProvider>(
            provider => provider.GetRequiredService<PartitionPlacementResolver>());
        services.AddSingleton<IGrainPropertiesProvider, EngineCount>();
        services.AddSingleton<IGrainDirectoryResolver, PartitionDirectory>();
        services.AddPlacementDirector<PartitionPlacement, PartitionPlacementDirector>();
        return builder;
    }
}
