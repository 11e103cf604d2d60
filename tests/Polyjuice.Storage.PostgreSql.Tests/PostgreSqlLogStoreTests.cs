using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>The log, in a database.</summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class PostgreSqlLogStoreTests(PostgreSqlFixture postgres) : LogStoreContract
{
    private readonly PostgreSqlLogOptions _place = postgres.NewOptions();

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_found_when_it_is_repeated_and_is_there_once()
    {
        var mark = "the marked batch"u8.ToArray();
        await using var way = new WireProxy(postgres.Server.Port);
        var options = postgres.NewOptions(way.Port);
        options.Lock = false;
        await using var store = await PostgreSqlLogStore.OpenAsync(options, NullLogger.Instance, default);
        await store.Open(0).Fill(2);
        foreach (var kind in new[] { WireFault.AnswerIsLost, WireFault.RequestIsLost, WireFault.RequestIsTorn })
        {
            var position = await store.Open(0).End();
            var lost = way.Next(mark, kind);
            await Assert.ThrowsAsync<IOException>(() => store.Open(0).Append(position, 70 + position, mark));
            await lost;
            AppendResult? result = null;
            for (var tries = 1; result is null; tries++)
            {
                try
                {
                    result = await store.Open(0).Append(position, 70 + position, mark);
                }
                catch (IOException) when (tries < 50)
                {
                }
            }

            Assert.Equal(AppendResult.Appended, result);
            Assert.Equal([mark], await store.Open(0).Read(position, position + 1));
            Assert.Equal(position + 1, await store.Open(0).End());
        }
    }

    private protected override Task<SegmentedLogStore> OpenAsync(Action<SegmentedLogOptions>? configure = null)
    {
        var options = new PostgreSqlLogOptions { ConnectionString = _place.ConnectionString, Schema = _place.Schema,
            Lock = false };
        configure?.Invoke(options);
        return PostgreSqlLogStore.OpenAsync(options, NullLogger.Instance, default);
    }
}
