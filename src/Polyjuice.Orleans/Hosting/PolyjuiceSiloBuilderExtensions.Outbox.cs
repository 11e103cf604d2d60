using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Orleans.Runtime;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Outboxes;

namespace Orleans.Hosting;

// Senders for messages of transactional outboxes.
public static partial class PolyjuiceSiloBuilderExtensions
{
    /// <summary>
    /// Adds a sender for messages of transactional outboxes (<see cref="ITransactionalOutbox"/>). All silos of a cluster
    /// must have the same ones.
    /// </summary>
    /// <param name="builder">The silo, with <c>UsePolyjuice()</c>.</param>
    /// <param name="name">
    /// Its name, by which messages are enqueued for it. A later one of the same name takes its place.
    /// </param>
    /// <typeparam name="TSender">Its class. One object of it for the silo.</typeparam>
    public static ISiloBuilder AddOutboxSender<TSender>(this ISiloBuilder builder, string name)
        where TSender : class, IOutboxSender =>
        builder.AddOutboxSender(name, static services => ActivatorUtilities.CreateInstance<TSender>(services));

    /// <summary>
    /// Adds a sender for messages of transactional outboxes (<see cref="ITransactionalOutbox"/>). All silos of a cluster
    /// must have the same ones.
    /// </summary>
    /// <param name="builder">The silo, with <c>UsePolyjuice()</c>.</param>
    /// <param name="name">
    /// Its name, by which messages are enqueued for it. A later one of the same name takes its place.
    /// </param>
    /// <param name="create">Makes it, once for the silo.</param>
    public static ISiloBuilder AddOutboxSender(
        this ISiloBuilder builder, string name, Func<IServiceProvider, IOutboxSender> create)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(create);
        var services = builder.Services;
        services.AddKeyedSingleton(name, (provider, _) => create(provider));
        services.AddSingleton(new OutboxSenderName(name));
        if (services.Has<OutboxWatch>()) return builder;
        services.AddSingleton<OutboxWatch>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>>(
            static provider => provider.GetRequiredService<OutboxWatch>());
        return builder;
    }
}
