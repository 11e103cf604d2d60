using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>What every device promises.</summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class PostgreSqlLogDeviceTests(PostgreSqlFixture postgres) : LogDeviceContract
{
    private readonly PostgreSqlLogOptions _options = postgres.NewOptions();

    protected override async ValueTask<ILogDevice> OpenAsync() => await PostgreSqlDevices.OpenAsync(_options);

    [ConditionalFact]
    public async Task Clusters_with_prefixes_of_their_own_do_not_see_each_other()
    {
        _options.KeyPrefix = "a";
        await using var one = await PostgreSqlDevices.OpenAsync(_options);
        _options.KeyPrefix = "a/b/";
        await using var other = await PostgreSqlDevices.OpenAsync(_options);
        await one.CreateAsync("p00000/1.log", default);
        await other.CreateAsync("p00000/2.log", default);
        Assert.Equal(["p00000/1.log"], (await one.ListAsync("p", default)).Select(entry => entry.Name));
        Assert.Equal(["p00000/2.log"], (await other.ListAsync("p", default)).Select(entry => entry.Name));
        await using var lockOfOne = await one.LockAsync("one", default);
        await using var lockOfOther = await other.LockAsync("other", default);
        Assert.EndsWith(
            $":{postgres.Server.Port}/postgres/{_options.Schema}/a/b", other.Location, StringComparison.Ordinal);
    }

    [ConditionalFact]
    public async Task A_prefix_is_not_taken_for_the_beginning_of_a_name_of_who_has_none()
    {
        _options.KeyPrefix = "p";
        await using var other = await PostgreSqlDevices.OpenAsync(_options);
        await other.CreateAsync("p00000/1.log", default);
        Assert.Empty(await Device.ListAsync("p", default));
        Assert.Empty(await Device.ListAsync("", default));
    }

    [ConditionalFact]
    public async Task A_session_ends_soon_after_its_machine_has_gone()
    {
        await using var source = PostgreSqlDataSources.Create(_options);
        await using var command = source.CreateCommand(
            "SELECT concat_ws(' ', current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'), "
            + "current_setting('tcp_keepalives_count'), current_setting('idle_in_transaction_session_timeout'))");
        Assert.Equal("10 5 3 10min", await command.ExecuteScalarAsync());
    }

    [ConditionalFact]
    public async Task An_object_of_many_rows_is_seen_when_it_is_whole_and_not_before()
    {
        await using var device = await PostgreSqlDevices.OpenAsync(_options, new() { PieceBytes = 1_000 });
        foreach (var length in new[] { 999, 1_000, 1_001, 2_000, 54_321 })
        {
            var bytes = Enumerable.Range(0, length).Select(i => (byte)(i % 251)).ToArray();
            var seen = new List<int>();
            async IAsyncEnumerable<ReadOnlyMemory<byte>> Content()
            {
                for (var at = 0; at < length; at += 700)
                {
                    seen.Add((await device.ListAsync("object", default)).Count);
                    yield return bytes.AsMemory(at, Math.Min(700, length - at));
                }
            }

            Assert.True(await device.PutAsync($"object{length}", Content(), overwrite: false, default));
            Assert.All(seen, count => Assert.Equal(seen[0], count));
            Assert.Equal(bytes, await ReadAll(device, $"object{length}"));
            var middle = new byte[Math.Min(1_500, length - 500)];
            Assert.Equal(middle.Length, await device.ReadAsync($"object{length}", 500, middle, default));
            Assert.Equal(bytes.AsSpan(500, middle.Length).ToArray(), middle);
        }
    }

    [ConditionalFact]
    public async Task What_is_replaced_or_deleted_leaves_no_rows()
    {
        await Device.CreateAsync("p00000/1.log", default);
        await Device.AppendAsync("p00000/1.log", 0, new byte[] { 1 }, default);
        for (var i = 0; i < 3; i++) await Device.PutAsync(
            "object", Pieces(new byte[3_000_000]), overwrite: true, default);
        await Assert.ThrowsAsync<TimeZoneNotFoundException>(
            async () => await Device.PutAsync("other", Failing(), overwrite: true, default));
        Assert.Equal(4L, await postgres.RunAsync($"SELECT count(*) FROM {_options.Schema}.polyjuice_pieces"));
        await Device.DeleteAsync("object", default);
        await Device.DeleteAsync("p00000/1.log", default);
        Assert.Equal(0L, await postgres.RunAsync($"SELECT count(*) FROM {_options.Schema}.polyjuice_pieces"));

        static async IAsyncEnumerable<ReadOnlyMemory<byte>> Failing()
        {
            yield return new byte[2_000_000];
            await ValueTask.CompletedTask;
            throw new TimeZoneNotFoundException("the content's own");
        }
    }

    [ConditionalFact]
    public async Task Rows_that_somebody_deleted_are_missed_and_not_skipped()
    {
        await Device.CreateAsync("p00000/1.log", default);
        for (var i = 0; i < 5; i++) await Device.AppendAsync("p00000/1.log", i * 10, new byte[10], default);
        await postgres.RunAsync($"DELETE FROM {_options.Schema}.polyjuice_pieces WHERE begins = 20");
        var damage = await Assert.ThrowsAsync<LogDamagedException>(
            async () => await Device.ReadAsync("p00000/1.log", 5, new byte[45], default));
        Assert.Equal(20, damage.Offset);
        Assert.Contains($"{Device.Location}/p00000/1.log", damage.Message, StringComparison.Ordinal);
    }
}
