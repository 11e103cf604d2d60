using System.Transactions;
using Microsoft.Extensions.Logging;
using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>Logs by a data source of the application's own, whose sessions are as the application wants them.</summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class SharedDataSourceTests(PostgreSqlFixture postgres)
{
    [ConditionalFact]
    public async Task An_append_is_no_part_of_a_transaction_that_the_caller_is_in()
    {
        await using var source = NpgsqlDataSource.Create($"{postgres.Server.ConnectionString};Enlist=true");
        await using var store = await OpenAsync(source, new Lines());
        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
        {
            // Not completed, so whatever enlists is rolled back.
            Assert.Equal(AppendResult.Appended, await store.Open(0).Append(0, 1, 1));
        }

        Assert.Equal(1, await store.Open(0).End());
    }

    [ConditionalFact]
    public async Task Sessions_that_outlive_their_machine_are_warned_of_with_what_to_add()
    {
        var warned = new Lines();
        await using (var source = NpgsqlDataSource.Create(postgres.Server.ConnectionString))
            await (await OpenAsync(source, warned)).DisposeAsync();
        var line = Assert.Single(warned.Of, line => line.Contains("DataSource", StringComparison.Ordinal));
        var remedy = line[(line.IndexOf("Options=", StringComparison.Ordinal) + "Options=".Length)..];

        var quiet = new Lines();
        var connection = new NpgsqlConnectionStringBuilder(postgres.Server.ConnectionString) { Options = remedy };
        await using (var source = NpgsqlDataSource.Create(connection))
            await (await OpenAsync(source, quiet)).DisposeAsync();
        Assert.DoesNotContain(quiet.Of, line => line.Contains("DataSource", StringComparison.Ordinal));
    }

    [ConditionalFact]
    public async Task Sessions_with_another_isolation_are_refused_by_name_with_what_it_must_be()
    {
        var connection = new NpgsqlConnectionStringBuilder(postgres.Server.ConnectionString)
        {
            Options = "-c default_transaction_isolation=serializable",
        };
        await using var source = NpgsqlDataSource.Create(connection);

        var exception = await Assert.ThrowsAsync<IOException>(() => OpenAsync(source, new Lines()));

        Assert.Contains("default_transaction_isolation is 'serializable'", exception.Message, StringComparison.Ordinal);
        Assert.Contains("'read committed'", exception.Message, StringComparison.Ordinal);
    }

    private Task<SegmentedLogStore> OpenAsync(NpgsqlDataSource source, ILogger logger)
    {
        var options = postgres.NewOptions();
        (options.ConnectionString, options.DataSource) = (null, source);
        return PostgreSqlLogStore.OpenAsync(options, logger, default);
    }

    private sealed class Lines : ILogger
    {
        private readonly List<string> _lines = [];

        public IEnumerable<string> Of
        {
            get
            {
                lock (_lines) return [.. _lines];
            }
        }

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel)) return;
            lock (_lines) _lines.Add(formatter(state, exception));
        }
    }
}
