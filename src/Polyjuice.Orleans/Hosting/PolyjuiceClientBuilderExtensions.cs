using System.Diagnostics.Metrics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Clients;
using Polyjuice.Orleans.Hosting;
using Polyjuice.Orleans.Hosting.Configuration;
using Polyjuice.Orleans.Transactions;

namespace Orleans.Hosting;

/// <summary>Runs transactions of clients under Polyjuice.</summary>
public static class PolyjuiceClientBuilderExtensions
{
    /// <summary>
    /// Lets the client start transactions with <see cref="ITransactionClient"/>, in place of <c>UseTransactions()</c>,
    /// and has it keep back calls that start a transaction while silos have enough of them. A delegate stays with the
    /// client, and may run more than once; each of its grain calls goes by way of the silo that runs the transaction.
    /// Options come from the section <c>Polyjuice</c> of the client's configuration, too; what the code says goes
    /// before it.
    /// </summary>
    /// <param name="builder">The client.</param>
    /// <param name="configure">Sets the options. Another call of this method adds to those before.</param>
    public static IClientBuilder UsePolyjuice(
        this IClientBuilder builder, Action<PolyjuiceClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var services = builder.Services;
        var options = services.AddOptions<PolyjuiceClientOptions>();
        if (!services.Has<TransactionCalls>())
            options.Bind(builder.Configuration.GetSection(PolyjuiceConfiguration.Section));
        if (configure is not null) options.Configure(configure);
        if (services.Has<TransactionCalls>()) return builder;
        services.AddSingleton<IConfigurationValidator, PolyjuiceClientOptionsValidator>();
        services.AddSingleton(static provider =>
        {
            var options = provider.GetRequiredService<IOptions<PolyjuiceClientOptions>>().Value;
            var messaging = provider.GetRequiredService<IOptions<ClientMessagingOptions>>().Value;
            return new UnansweredCalls(
                options.UnansweredCalls, options.StartWait, messaging.ResponseTimeout,
                provider.GetService<IMeterFactory>());
        });
        services.TryAddSingleton<ITransactionClient, ClientTransactions>();
        services.AddTransactionCalls<ClientCallEnds>();
        return builder;
    }
}
