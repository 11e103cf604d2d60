using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Npgsql;
using Orleans.Configuration;
using Orleans.Hosting;
using Polyjuice.Orleans;
using Polyjuice.Publishing;
using Polyjuice.Tests.Clusters;

namespace Polyjuice.Storage.PostgreSql.Tests.Hosting;

[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class PostgreSqlSiloBuilderExtensionsTests(PostgreSqlFixture postgres)
    : LogProviderContract("PostgreSql", typeof(NpgsqlDataSource))
{
    [ConditionalFact]
    public async Task Logs_policies_and_traces_come_from_the_configuration()
    {
        var schema = postgres.NewOptions().Schema;
        using var host = Build(silo => silo.UsePolyjuice(), new()
        {
            ["ConnectionStrings:database"] = postgres.Server.ConnectionString,
            ["Polyjuice:Logs:Default:ProviderType"] = "PostgreSql",
            ["Polyjuice:Logs:Default:ConnectionName"] = "database",
            ["Polyjuice:Logs:Default:Schema"] = schema, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
            ["Polyjuice:PolicyStore:ProviderType"] = "PostgreSql",
            ["Polyjuice:PolicyStore:ConnectionName"] = "database",
            ["Polyjuice:PolicyStore:Schema"] = schema,
            ["Polyjuice:Traces:ProviderType"] = "PostgreSql", ["Polyjuice:Traces:ConnectionName"] = "database",
            ["Polyjuice:Traces:Schema"] = schema,
        });
        await host.StartAsync();
        await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);

        Assert.Equal(3, host.Services.GetRequiredService<IPolyjuiceSilo>().Readiness.Partitions);
        Assert.IsType<PostgreSqlPolicyEntries>(host.Services.GetRequiredService<IPolicyEntries>());
        await host.StopAsync();

        // What it has done is recorded.
        var trace = Assert.Single(await new PostgreSqlTraceSink(postgres.Admin, schema).Source.ListAsync(default));
        Assert.True(trace.Bytes > 0);
    }

    [ConditionalFact]
    public void A_connection_string_that_the_configuration_does_not_have_is_missed_by_its_name()
    {
        var exception = Assert.Throws<OrleansConfigurationException>(() => Build(silo => silo.UsePolyjuice(), new()
        {
            ["Polyjuice:PolicyStore:ProviderType"] = "PostgreSql",
            ["Polyjuice:PolicyStore:ConnectionName"] = "database",
        }));

        Assert.Contains("'ConnectionStrings:database'", exception.Message, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task Logs_policies_and_traces_use_a_client_of_the_applications_that_the_configuration_names()
    {
        var schema = postgres.NewOptions().Schema;
        await using var shared = NpgsqlDataSource.Create(postgres.Server.ConnectionString);
        using var host = Build(
            silo => silo.UsePolyjuice().Services.AddKeyedSingleton<NpgsqlDataSource>("shared", (_, _) => shared),
            new()
            {
                ["Polyjuice:Logs:Default:ProviderType"] = "PostgreSql",
                ["Polyjuice:Logs:Default:ServiceKey"] = "shared",
                ["Polyjuice:Logs:Default:Schema"] = schema, ["Polyjuice:Logs:Default:NewPartitions"] = "3",
                ["Polyjuice:PolicyStore:ProviderType"] = "PostgreSql", ["Polyjuice:PolicyStore:ServiceKey"] = "shared",
                ["Polyjuice:PolicyStore:Schema"] = schema,
                ["Polyjuice:Traces:ProviderType"] = "PostgreSql", ["Polyjuice:Traces:ServiceKey"] = "shared",
                ["Polyjuice:Traces:Schema"] = schema,
            });
        await UseAsync(host);

        // The application's own is still there, and what the silo did is recorded.
        Assert.Single(await new PostgreSqlTraceSink(shared, schema).Source.ListAsync(default));
    }

    [ConditionalFact]
    public async Task Of_several_logs_the_one_that_is_named_is_used()
    {
        var options = postgres.NewOptions();
        using (var host = Build(silo => silo
            .UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "second")
            .AddPostgreSqlLog(
                "first", builder => builder.Configure(first => first.ConnectionString = "Host=nobody.invalid"))
            .AddPostgreSqlLog("second", builder => builder.Configure<IServiceProvider>((second, _) =>
            {
                second.ConnectionString = postgres.Server.ConnectionString;
                second.Schema = options.Schema;
                second.KeyPrefix = "second";
            }))))
        {
            await host.StartAsync();
            await host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccount>("a").Add(10);
            await host.StopAsync();
        }

        // The lock was given back, and everything is below the prefix.
        Assert.Equal(
            0L, await postgres.RunAsync(
            $"SELECT count(*) FROM {options.Schema}.polyjuice_names WHERE name NOT LIKE 'logs/second:%'"));
        options.KeyPrefix = "second";
        await using var store = await PostgreSqlLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        long batches = 0;
        for (var partition = 0; partition < store.PartitionCount; partition++) batches += await store.Open(
            partition).End();
        Assert.True(batches > 0);
    }

    [ConditionalFact]
    public async Task A_wrong_option_stops_the_host_from_starting_and_is_named()
    {
        using var host = Build(
            silo => silo.UsePolyjuice((PolyjuiceOptions polyjuice) => polyjuice.LogProvider = "orders")
                .AddPostgreSqlLog("orders", options => options.Schema = "No"));
        var exception = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains("'orders'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("Schema", exception.Message, StringComparison.Ordinal);
        Assert.Contains("ConnectionString", exception.Message, StringComparison.Ordinal);
    }

    /// <inheritdoc/>
    protected override string NewPlace() => postgres.NewOptions().Schema;

    /// <inheritdoc/>
    protected override void AddLogAsDefault(ISiloBuilder silo, string place) =>
        silo.AddPostgreSqlLogAsDefault((PostgreSqlLogOptions options) =>
        {
            options.ConnectionString = postgres.Server.ConnectionString;
            options.Schema = place;
            options.NewPartitions = 3;
        });
}
