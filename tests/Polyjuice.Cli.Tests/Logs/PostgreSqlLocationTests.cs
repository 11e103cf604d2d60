using Npgsql;
using Polyjuice.Cli.Logs;

namespace Polyjuice.Cli.Tests.Logs;

public sealed class PostgreSqlLocationTests
{
    [Theory]
    [InlineData("postgresql://db/orders", true)]
    [InlineData("https://a.blob.core.windows.net/c", false)]
    [InlineData("postgresql", false)]
    public void An_address_is_told_from_a_folder(string data, bool isAddress) =>
        Assert.Equal(isAddress, PostgreSqlLocation.IsOne(data));

    [Theory]
    [InlineData("postgresql://db/orders", "db", 5432, null, "polyjuice", "")]
    [InlineData("postgresql://anna@db:5433/orders/logs/eu/one", "db", 5433, "anna", "logs", "eu/one")]
    [InlineData("postgresql://db1:5433,db2:5434/orders/logs", "db1:5433,db2:5434", 5432, null, "logs", "")]
    [InlineData(
        "postgresql://%2Fvar%2Frun%2Fpostgresql:5432/orders/logs", "/var/run/postgresql", 5432, null, "logs", "")]
    public void All_parts_are_taken_from_the_address_and_nothing_is_to_be_created(
        string data, string host, int port, string? user, string schema, string prefix)
    {
        var options = PostgreSqlLocation.Parse(data);
        var connection = new NpgsqlConnectionStringBuilder(options.ConnectionString);
        Assert.Equal(
            (host, port, user, "orders"), (connection.Host, connection.Port, connection.Username, connection.Database));
        Assert.Equal((schema, prefix, false), (options.Schema, options.KeyPrefix, options.CreateSchema));
    }

    [Theory]
    [InlineData("postgresql://anna:topsecret@db/orders", "PGPASSWORD")]
    [InlineData("postgresql://db", "names no database")]
    [InlineData("postgresql:///orders", "names no database")]
    public async Task What_is_no_address_or_has_a_password_is_refused_with_what_to_do(string data, string expected)
    {
        using var tool = new Tool();
        var answer = await tool.RunAsync("log", "verify", "--data", data);
        Assert.Equal(ExitCodes.Refused, answer.ExitCode);
        Assert.Contains(expected, answer.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("topsecret", answer.Error, StringComparison.Ordinal);
    }
}
