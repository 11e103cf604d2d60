using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Polyjuice.Orleans;
using Polyjuice.Orleans.Hosting;

namespace Polyjuice.Testing;

/// <summary>
/// Puts a silo and a client on their cluster's network. Connections, and not call filters: a filter is paid by every
/// call, those within a silo included. The end that connects knows both nodes, so it is where both directions are
/// delayed and cut.
/// </summary>
internal static class NetworkMiddleware
{
    /// <summary>
    /// Puts the silos and the client of a test cluster of Orleans' own on a network, whatever runs their transactions.
    /// </summary>
    /// <param name="builder">The cluster.</param>
    /// <param name="network">The network. It is for this cluster alone.</param>
    public static InProcessTestClusterBuilder UseNetwork(
        this InProcessTestClusterBuilder builder, ClusterNetwork network)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(network);
        builder.ConfigureSilo(
            (options, silo) => silo.UseNetwork(
                network, network.Add(options.SiloName, options.SiloPort, options.GatewayPort)));
        builder.ConfigureClient(client => client.UseNetwork(network));
        return builder;
    }

    internal static void UseNetwork(this ISiloBuilder silo, ClusterNetwork network, NetworkNode own)
    {
        silo.Configure<SiloConnectionOptions>(options =>
        {
            options.ConfigureSiloOutboundConnection(connection => connection.UseOutbound(network, own));
            options.ConfigureSiloInboundConnection(connection => connection.UseInbound(network, own));
            options.ConfigureGatewayInboundConnection(connection => connection.UseInbound(network, own));
        });
        if (silo.Services.Has<IEngineLink>())
            silo.Services.Decorate<IEngineLink>((inner, _) => new FaultyEngineLink(inner, network, own));
    }

    internal static void UseNetwork(this IClientBuilder client, ClusterNetwork network) =>
        client.Configure<ClientConnectionOptions>(options =>
            options.ConfigureConnection(connection => connection.UseOutbound(network, network.ClientNode)));

    private static void UseOutbound(this IConnectionBuilder builder, ClusterNetwork network, NetworkNode own) =>
        builder.Use(next => context =>
        {
            var other = network.At(context.RemoteEndPoint);
            if (other is not null)
            {
                var transport = context.Transport;
                context.Transport = new NetworkConnection.Duplex(
                    new LineReader(transport.Input, network.Line(other, own)),
                    new LineWriter(transport.Output, network.Line(own, other)));
            }

            return RunAsync(network, new(own, other, context), next);
        });

    private static void UseInbound(this IConnectionBuilder builder, ClusterNetwork network, NetworkNode own) =>
        builder.Use(next => context => RunAsync(network, new(own, null, context), next));

    private static async Task RunAsync(ClusterNetwork network, NetworkConnection connection, ConnectionDelegate next)
    {
        try
        {
            network.Add(connection);
        }
        catch (ConnectionAbortedException exception)
        {
            // The other end must hear of it, too.
            await connection.Context.Transport.Output.CompleteAsync(exception).ConfigureAwait(false);
            await connection.Context.Transport.Input.CompleteAsync(exception).ConfigureAwait(false);
            throw;
        }

        try
        {
            await next(connection.Context).ConfigureAwait(false);
        }
        finally
        {
            network.Remove(connection);
        }
    }
}
