using Polyjuice.Cli.Training.Trainer;
using Polyjuice.Tracing;

namespace Polyjuice.Storage.PostgreSql.Tests;

[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class PostgreSqlTraceSinkTests(PostgreSqlFixture postgres) : TraceSinkContract
{
    private readonly string _schema = postgres.NewOptions().Schema;

    [ConditionalFact]
    public async Task Prefixes_keep_places_apart_and_traces_are_no_logs()
    {
        await using (await Open().CreateAsync("1-2-0000.pjtrace", default))
        {
        }

        Assert.Empty(await new PostgreSqlTraceSink(postgres.Admin, _schema, "other").Source.ListAsync(default));
        var options = postgres.NewOptions();
        options.Schema = _schema;
        await using var store = await PostgreSqlLogStore.OpenAsync(
            options, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance, default);
        Assert.Equal(0, await store.Open(0).End());
        Assert.Contains(
            "Schema", Assert.Throws<ArgumentException>(() => new PostgreSqlTraceSink(postgres.Admin, "a b")).Message,
            StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task The_tool_reads_them_by_their_address()
    {
        await using (var stream = await Open().CreateAsync("1-2-0000.pjtrace", default))
            await stream.WriteAsync("one"u8.ToArray());

        var source = TraceLocation.Parse(
            $"postgresql://postgres@127.0.0.1:{postgres.Server.Port}/postgres/{_schema}", "--traces");

        var file = Assert.Single(await source.ListAsync(default));
        Assert.Equal(("1-2-0000.pjtrace", 3L), (file.Name, file.Bytes));
    }

    private protected override ITraceSink Open() => new PostgreSqlTraceSink(postgres.Admin, _schema);
}
