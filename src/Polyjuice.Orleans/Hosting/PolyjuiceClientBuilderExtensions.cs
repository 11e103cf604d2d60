using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Polyjuice.Orleans.Calls;
using Polyjuice.Orleans.Clients;
using Polyjuice.Orleans.Hosting;

namespace Orleans.Hosting;

/// <summary>Runs transactions of clients under Polyjuice.</summary>
public static class PolyjuiceClientBuilderExtensions
{
    /// <summary>
    /// Lets the client start transactions with <see cref="ITransactionClient"/>, in place of <c>UseTransactions()</c>. The delegate stays with the client, and may run more than once; each of its grain calls goes by way of
    /// the silo that runs the transaction.
    /// </summary>
    /// <param name="builder">The client.</param>
    public static IClientBuilder UsePolyjuice(this IClientBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (builder.Services.Has<TransactionCalls>()) return builder;
        builder.Services.TryAddSingleton<ITransactionClient, ClientTransactions>();
        builder.Services.AddTransactionCalls<ClientCallEnds>();
        return builder;
    }
}
