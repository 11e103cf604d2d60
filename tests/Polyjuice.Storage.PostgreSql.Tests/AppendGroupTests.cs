using Npgsql;
using Orleans.Configuration;

namespace Polyjuice.Storage.PostgreSql.Tests;

/// <summary>Appends to several segments that come while others are under way.</summary>
[RequiresPostgreSql]
[Collection(PostgreSqlFixture.Name)]
public sealed class AppendGroupTests(PostgreSqlFixture postgres) : IAsyncLifetime
{
    private const int Segments = 8;
    private PostgreSqlLogOptions _options = null!;
    private PostgreSqlLogDevice _device = null!;

    public async Task InitializeAsync()
    {
        if (PostgreSqlInstallation.Missing is not null) return;
        _options = postgres.NewOptions();
        _device = await PostgreSqlDevices.OpenAsync(_options);
        for (var i = 0; i < Segments; i++) await _device.CreateAsync(Name(i), default);
    }

    public async Task DisposeAsync()
    {
        if (_device is not null) await _device.DisposeAsync();
    }

    [ConditionalFact]
    public async Task Each_is_made_or_not_by_itself()
    {
        Task<DeviceAppendResult>[] appends = [];
        Task<DeviceAppendResult>? missing = null;
        await WhileLockedAsync(async () =>
        {
            appends = await FillLanesAsync();
            appends = [.. appends, .. Enumerable.Range(2, 5).Select(i => Append(i, i == 4 ? 77 : 0, (byte)(10 + i)))];
            missing = Append(Segments, 0, 1);
            Assert.All(appends, append => Assert.False(append.IsCompleted));
        });

        var results = await Task.WhenAll(appends);
        await Assert.ThrowsAsync<FileNotFoundException>(() => missing!);
        for (var i = 0; i < appends.Length; i++)
        {
            Assert.Equal(i == 4 ? DeviceAppendResult.Conflict : DeviceAppendResult.Appended, results[i]);
            Assert.Equal(i == 4 ? [] : [(byte)(10 + i)], await ReadAsync(i));
        }
    }

    [ConditionalFact]
    public async Task One_that_is_given_up_before_it_is_sent_is_not_made_and_the_others_are()
    {
        using var cancel = new CancellationTokenSource();
        Task<DeviceAppendResult>[] appends = [];
        Task<DeviceAppendResult>? givenUp = null;
        await WhileLockedAsync(async () =>
        {
            appends = await FillLanesAsync();
            givenUp = _device.AppendAsync(Name(2), 0, new byte[] { 12 }, cancel.Token).AsTask();
            appends = [.. appends, Append(3, 0, 13)];
            await cancel.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => givenUp);
        });

        Assert.All(await Task.WhenAll(appends), result => Assert.Equal(DeviceAppendResult.Appended, result));
        Assert.Empty(await ReadAsync(2));
        Assert.Equal([13], await ReadAsync(3));
    }

    [ConditionalFact]
    public async Task Devices_that_append_to_the_same_segments_at_once_agree_on_who_was_first()
    {
        await using var rival = await PostgreSqlDevices.OpenAsync(Rival());
        for (var round = 0; round < 20; round++)
        {
            var (one, other) = (new byte[] { 1 }, new byte[] { 2 });
            var ours = Enumerable.Range(0, Segments)
                .Select(i => _device.AppendAsync(Name(i), round, one, default).AsTask());
            var theirs = Enumerable.Range(0, Segments).Reverse()
                .Select(i => rival.AppendAsync(Name(i), round, other, default).AsTask());
            var both = await Task.WhenAll(Task.WhenAll([.. ours]), Task.WhenAll([.. theirs]));
            for (var i = 0; i < Segments; i++)
            {
                var (first, second) = (both[0][i], both[1][Segments - 1 - i]);
                Assert.NotEqual(first, second);
                Assert.Equal(first == DeviceAppendResult.Appended ? 1 : 2, (await ReadAsync(i))[round]);
            }
        }
    }

    private static string Name(int segment) => $"p{segment:D5}/00000000000000000000.log";

    private Task<DeviceAppendResult> Append(int segment, long offset, byte content) =>
        _device.AppendAsync(Name(segment), offset, new[] { content }, default).AsTask();

    private async Task<byte[]> ReadAsync(int segment)
    {
        var buffer = new byte[1_000];
        return buffer[..await _device.ReadAsync(Name(segment), 0, buffer, default)];
    }

    private PostgreSqlLogOptions Rival()
    {
        var options = postgres.NewOptions();
        options.Schema = _options.Schema;
        return options;
    }

    private async Task WhileLockedAsync(Func<Task> act)
    {
        await using var connection = await postgres.Admin.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var command = new NpgsqlCommand(
            $"SELECT 1 FROM {_options.Schema}.polyjuice_names FOR UPDATE", connection);
        await command.ExecuteNonQueryAsync();
        await act();
    }

    /// <summary>Two appends wait for the lock, each by itself, and all others for them.</summary>
    private async Task<Task<DeviceAppendResult>[]> FillLanesAsync()
    {
        var first = Append(0, 0, 10);
        await postgres.WhenWaitingForLockAsync(1);
        var second = Append(1, 0, 11);
        await postgres.WhenWaitingForLockAsync(2);
        return [first, second];
    }
}
