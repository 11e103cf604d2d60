using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

public sealed class PostgreSqlLogOptionsTests
{
    public static TheoryData<string, Action<PostgreSqlLogOptions>> Wrong => new()
    {
        { "ConnectionString", o => o.ConnectionString = null },
        { "ConnectionString", o => o.ConnectionString = " " },
        { "can't be read", o => o.ConnectionString = "Nonsense=topsecret" },
        { "can't be read", o => o.ConnectionString = "Host=db;Port=topsecret" },
        { "names no Host", o => o.ConnectionString = "Database=orders" },
        { "only one of", o => o.DataSource = Npgsql.NpgsqlDataSource.Create("Host=db") },
        { "ConfigureDataSource", o => Shared(o).ConfigureDataSource = _ => { } },
        { "Schema", o => o.Schema = "" },
        { "Schema is Logs:", o => Shared(o).Schema = "Logs" },
        { "Schema", o => o.Schema = "Logs" },
        { "Schema", o => o.Schema = "1a" },
        { "Schema", o => o.Schema = "a\"; DROP TABLE b; --" },
        { "Schema", o => o.Schema = "a.b" },
        { "Schema", o => o.Schema = new string('a', 64) },
        { "KeyPrefix", o => o.KeyPrefix = "/a" },
        { "KeyPrefix", o => o.KeyPrefix = "a//b" },
        { "KeyPrefix", o => o.KeyPrefix = "a/../b" },
        { "KeyPrefix", o => o.KeyPrefix = "a' OR 1=1" },
        { "LeaseDuration", o => o.LeaseDuration = TimeSpan.FromSeconds(4) },
        { "LeaseDuration", o => o.LeaseDuration = TimeSpan.FromMinutes(6) },
        { "LockWait", o => o.LockWait = TimeSpan.FromSeconds(-1) },
        { "RequestTimeout", o => o.RequestTimeout = TimeSpan.Zero },
        { "ConnectionsMax is 1:", o => o.ConnectionsMax = 1 },
        { "ConnectionsMax", o => o.ConnectionsMax = 1_001 },
        { "NewPartitions", o => o.NewPartitions = 0 },
        { "SegmentBytes", o => o.SegmentBytes = 1 },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task What_could_not_work_is_refused_by_the_options_name_and_no_secret_is_shown(
        string expected, Action<PostgreSqlLogOptions> spoil)
    {
        var options = Right();
        spoil(options);
        var result = new PostgreSqlLogOptionsValidator().Validate("orders", options);
        Assert.True(result.Failed);
        Assert.Contains(
            result.Failures!, failure => failure.Contains(expected, StringComparison.Ordinal)
            && failure.Contains("'orders'", StringComparison.Ordinal));
        var exception = await Assert.ThrowsAsync<ValidationException>(
            () => PostgreSqlLogStore.OpenAsync(options, NullLogger.Instance, default));
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("topsecret", exception.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void What_can_work_is_taken()
    {
        var several = new[] { Right(), Right(), Right(), Shared(Right()) };
        several[1].KeyPrefix = "clusters/a-1_x=2.0/";
        several[1].LockWait = TimeSpan.Zero;
        several[2].ConnectionString = "Host=db1:5433,db2;Database=orders;Username=orders";
        several[2].Schema = "_logs_2";
        Assert.All(
            several, options => Assert.True(new PostgreSqlLogOptionsValidator().Validate("", options).Succeeded));
    }

    [Theory]
    [InlineData(
        "Host=db;Database=orders;Username=u;Password=topsecret", "postgresql://db:5432/orders/polyjuice/eu/one")]
    [InlineData("Host=db;Port=5433;Username=orders", "postgresql://db:5433/orders/polyjuice/eu/one")]
    [InlineData(
        "Host=db1:5433,db2;Database=orders;Password=topsecret",
        "postgresql://db1:5433,db2:5432/orders/polyjuice/eu/one")]
    [InlineData(
        "Host=/var/run/postgresql;Database=orders",
        "postgresql://%2Fvar%2Frun%2Fpostgresql:5432/orders/polyjuice/eu/one")]
    public async Task A_place_is_named_by_an_address_without_secrets(string connection, string expected)
    {
        var options = Right();
        options.ConnectionString = connection;
        await using var device = new PostgreSqlLogDevice(
            PostgreSqlDataSources.Create(options), new() { Prefix = "eu/one" }, ownsSource: true);
        Assert.Equal(expected, device.Location);
    }

    [Fact]
    public async Task What_the_caller_configures_is_kept_and_what_the_log_needs_is_set()
    {
        var options = Right();
        options.ConnectionString += ";Options=-c work_mem=8MB;Enlist=true;Application Name=orders";
        var isCalled = false;
        options.ConfigureDataSource = builder => isCalled = builder.ConnectionStringBuilder.Host == "db";
        await using var source = PostgreSqlDataSources.Create(options);
        var connection = new Npgsql.NpgsqlConnectionStringBuilder(source.ConnectionString);
        Assert.True(isCalled);
        Assert.False(connection.Enlist);
        Assert.Equal("orders", connection.ApplicationName);
        Assert.StartsWith("-c work_mem=8MB -c tcp_keepalives_idle=", connection.Options, StringComparison.Ordinal);
        Assert.Equal((10, 16), (connection.CommandTimeout, connection.MaxPoolSize));
    }

    private static PostgreSqlLogOptions Shared(PostgreSqlLogOptions options)
    {
        (options.ConnectionString, options.DataSource) = (null, Npgsql.NpgsqlDataSource.Create("Host=db"));
        return options;
    }

    private static PostgreSqlLogOptions Right() =>
        new() { ConnectionString = "Host=db;Database=orders;Username=orders;Password=topsecret" };
}
