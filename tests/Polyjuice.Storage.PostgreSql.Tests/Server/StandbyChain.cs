using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>
/// A primary and standbys, each of the one before it and synchronous, so that each can take over from the one before.
/// </summary>
internal sealed class StandbyChain : IAsyncDisposable
{
    private readonly List<PostgreSqlServer> _servers = [];

    private StandbyChain(PostgreSqlServer primary) => _servers.Add(primary);

    /// <summary>Starts all.</summary>
    /// <param name="failovers">How many there may be.</param>
    public static async Task<StandbyChain> StartAsync(int failovers)
    {
        var chain = new StandbyChain(
            await PostgreSqlServer.StartAsync(
            [.. PostgreSqlFixture.CarelessSettings, "synchronous_standby_names=*"]));
        try
        {
            // One more than there will be failovers: the last primary has somebody to wait for, too.
            for (var i = 0; i <= failovers; i++) chain._servers.Add(await chain._servers[i].StartStandbyAsync());
            return chain;
        }
        catch
        {
            await chain.DisposeAsync();
            throw;
        }
    }

    /// <summary>Options for a schema that nobody has, which name all servers.</summary>
    public PostgreSqlLogOptions NewOptions()
    {
        var options = PostgreSqlFixture.Options(_servers[0]);
        options.ConnectionString = Hosts.Of(_servers);
        options.RequestTimeout = TimeSpan.FromSeconds(2);
        return options;
    }

    /// <summary>Kills the primary, for good.</summary>
    public async Task KillPrimaryAsync()
    {
        var primary = _servers[0];
        _servers.RemoveAt(0);
        await primary.KillAsync();
        await primary.DisposeAsync();
    }

    /// <summary>Has the next one be the primary.</summary>
    public Task TakeOverAsync() => _servers[0].PromoteAsync();

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers) await server.DisposeAsync();
    }
}
