using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>
/// What an append answers when requests and answers get lost, or the server is in no hurry: never that it happened
/// when it did not, and never that it did not when it did.
/// </summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class AppendTests(PostgreSqlFixture postgres) : IAsyncLifetime
{
    private const string Segment = "p00000/00000000000000000000.log";
    private static readonly byte[] _mark = "the marked append"u8.ToArray();
    private WireProxy _way = null!;
    private PostgreSqlLogOptions _options = null!;
    private PostgreSqlLogDevice _device = null!;
    private PostgreSqlLogDevice _rival = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _way = new WireProxy(postgres.Server.Port);
        _options = postgres.NewOptions(_way.Port);
        _device = await PostgreSqlDevices.OpenAsync(_options);
        var direct = postgres.NewOptions();
        direct.Schema = _options.Schema;
        _rival = await PostgreSqlDevices.OpenAsync(direct);
        await _device.CreateAsync(Segment, default);
        await Append(_device, 0, 1, 2, 3);
    }

    public async Task DisposeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        await _device.DisposeAsync();
        await _rival.DisposeAsync();
        await _way.DisposeAsync();
    }

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_unknown_and_no_conflict_and_its_repetition_is_one()
    {
        for (var i = 0; i < 5; i++)
        {
            var offset = 3 + (i * _mark.Length);
            var lost = _way.Next(_mark, WireFault.AnswerIsLost);
            var unknown = await Assert.ThrowsAsync<IOException>(() => Append(_device, offset, _mark));
            await lost;
            Assert.Contains(Segment, unknown.Message, StringComparison.Ordinal);

            // The server may not have come to it yet; the repetition finds it there or waits for it.
            Assert.Equal(DeviceAppendResult.Conflict, await AppendUntilAnswered(offset, _mark));
            Assert.Equal(offset + _mark.Length, await _rival.GetLengthAsync(Segment, default));
        }
    }

    [ConditionalFact]
    public async Task A_request_that_got_lost_or_was_torn_has_no_effect_and_is_made_when_it_is_repeated()
    {
        foreach (var kind in new[] { WireFault.RequestIsLost, WireFault.RequestIsTorn })
        {
            var offset = await _rival.GetLengthAsync(Segment, default);
            var lost = _way.Next(_mark, kind);
            await Assert.ThrowsAsync<IOException>(() => Append(_device, offset, _mark));
            await lost;
            Assert.Equal(DeviceAppendResult.Appended, await AppendUntilAnswered(offset, _mark));
            Assert.Equal(offset + _mark.Length, await _rival.GetLengthAsync(Segment, default));
        }
    }

    [ConditionalFact]
    public async Task A_rival_that_was_faster_than_the_repetition_is_a_conflict()
    {
        var lost = _way.Next(_mark, WireFault.RequestIsLost);
        await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, _mark));
        await lost;
        Assert.Equal(DeviceAppendResult.Appended, await Append(_rival, 3, 9));
        Assert.Equal(DeviceAppendResult.Conflict, await AppendUntilAnswered(3, _mark));
        Assert.Equal([1, 2, 3, 9], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_waits_for_a_rival_whose_append_is_undecided_and_follows_what_becomes_of_it()
    {
        foreach (var commits in new[] { false, true })
        {
            await using var connection = await postgres.Admin.OpenConnectionAsync();
            await using var transaction = await connection.BeginTransactionAsync();
            await RunAsync(connection, $"INSERT INTO {_options.Schema}.polyjuice_pieces (id, begins, content) SELECT "
                + $"id, {await _rival.GetLengthAsync(Segment, default)}, 'rival' FROM "
                + $"{_options.Schema}.polyjuice_names WHERE name LIKE '%{Segment}'");
            var append = Append(_rival, await _rival.GetLengthAsync(Segment, default), _mark);
            await postgres.WhenWaitingForLockAsync();
            Assert.False(append.IsCompleted);
            if (commits) await transaction.CommitAsync();
            else await transaction.RollbackAsync();
            Assert.Equal(commits ? DeviceAppendResult.Conflict : DeviceAppendResult.Appended, await append);
        }

        Assert.Equal([1, 2, 3, .. _mark, .. "rival"u8], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_that_takes_too_long_is_unknown_and_is_made_when_it_is_repeated()
    {
        await using var impatient = await OpenImpatientAsync();
        await using var connection = await postgres.Admin.OpenConnectionAsync();
        await using (var transaction = await connection.BeginTransactionAsync())
        {
            await RunAsync(connection, $"SELECT 1 FROM {_options.Schema}.polyjuice_names FOR UPDATE");
            var late = await Assert.ThrowsAsync<IOException>(() => Append(impatient, 3, _mark));
            Assert.Contains("RequestTimeout", late.Message, StringComparison.Ordinal);
        }

        Assert.Equal(DeviceAppendResult.Appended, await Append(_device, 3, _mark));
        Assert.Equal([1, 2, 3, .. _mark], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_that_is_cancelled_under_way_ends_at_once_and_the_next_one_goes_on()
    {
        await using var connection = await postgres.Admin.OpenConnectionAsync();
        await using (var transaction = await connection.BeginTransactionAsync())
        {
            await RunAsync(connection, $"SELECT 1 FROM {_options.Schema}.polyjuice_names FOR UPDATE");
            using var cancel = new CancellationTokenSource();
            var append = _rival.AppendAsync(Segment, 3, _mark, cancel.Token).AsTask();
            await postgres.WhenWaitingForLockAsync();
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => append);
        }

        Assert.Equal(DeviceAppendResult.Appended, await Append(_rival, 3, 5));
        Assert.Equal([1, 2, 3, 5], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_to_a_server_that_stands_still_ends_in_bounded_time()
    {
        await using var impatient = await OpenImpatientAsync();
        await postgres.Server.PauseAsync();
        try
        {
            await Assert.ThrowsAsync<IOException>(
                () => Append(impatient, 3, _mark).WaitAsync(TimeSpan.FromMinutes(2)));
        }
        finally
        {
            await postgres.Server.ResumeAsync();
        }

        // It had the request, and goes on with it.
        var result = await AppendUntilAnswered(3, _mark);
        Assert.True(Enum.IsDefined(result));
        Assert.Equal([1, 2, 3, .. _mark], await ReadAll());
    }

    [ConditionalFact]
    public async Task What_was_answered_is_on_the_disk_although_the_server_would_not_wait_for_it()
    {
        Assert.Equal("off", await postgres.RunAsync("SHOW synchronous_commit"));
        for (var i = 0; i < 5; i++)
        {
            var before = await postgres.RunAsync("SELECT pg_current_wal_insert_lsn()::text");
            await Append(_device, 3 + (i * 100_000), new byte[100_000]);
            Assert.Equal(
                true, await postgres.RunAsync(
                $"SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '{before}') > 100000"));
        }
    }

    [ConditionalFact]
    public async Task A_segment_that_is_deleted_takes_no_append_and_leaves_no_rows()
    {
        const string next = "p00000/00000000000000000001.log";
        await _device.CreateAsync(next, default);
        for (var round = 0; round < 10; round++)
        {
            var offset = await _rival.GetLengthAsync(next, default);
            var append = Task.Run(async () => await _rival.AppendAsync(next, offset, _mark, default));
            await _device.DeleteAsync(next, default);
            try
            {
                Assert.Equal(DeviceAppendResult.Appended, await append);
            }
            catch (FileNotFoundException)
            {
            }

            await _device.CreateAsync(next, default);
            Assert.Equal(0, await _device.GetLengthAsync(next, default));
        }

        Assert.Equal(1L, await postgres.RunAsync($"SELECT count(*) FROM {_options.Schema}.polyjuice_pieces"));
    }

    private static async Task<DeviceAppendResult> Append(ILogDevice device, long offset, params byte[] bytes) =>
        await device.AppendAsync(Segment, offset, bytes, default);

    private static async Task RunAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>
    /// Another device at the same place, whose requests must not take long: what is to succeed goes by one that waits
    /// for a busy machine.
    /// </summary>
    private Task<PostgreSqlLogDevice> OpenImpatientAsync()
    {
        _options.RequestTimeout = TimeSpan.FromSeconds(2);
        return PostgreSqlDevices.OpenAsync(_options);
    }

    /// <summary>As the log does it: connections that were cut as well may still be in the pool.</summary>
    private async Task<DeviceAppendResult> AppendUntilAnswered(long offset, byte[] bytes)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await Append(_device, offset, bytes);
            }
            catch (IOException) when (tries < 50)
            {
            }
        }
    }

    private async Task<byte[]> ReadAll()
    {
        var buffer = new byte[1_000];
        return buffer[..await _rival.ReadAsync(Segment, 0, buffer, default)];
    }
}
