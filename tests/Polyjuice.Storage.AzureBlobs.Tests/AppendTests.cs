namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// What an append answers when requests and answers get lost: never that
/// it happened when it did not, and never that it did not when it did.
/// </summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class AppendTests(AzuriteFixture azurite) : IAsyncLifetime
{
    private const string Segment = "p00000/00000000000000000000.log";
    private readonly FaultyTransport _way = new();
    private AzureBlobLogDevice _device = null!;
    private AzureBlobLogDevice _rival = null!;

    public async Task InitializeAsync()
    {
        var options = azurite.NewOptions(client => client.Transport = _way);
        _device = await azurite.OpenAsync(options);
        var other = azurite.NewOptions();
        other.ContainerName = options.ContainerName;
        _rival = await azurite.OpenAsync(other);
        await _device.CreateAsync(Segment, default);
        await Append(_device, 0, 1, 2, 3);
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [ConditionalFact]
    public async Task A_request_that_got_lost_is_repeated_and_the_bytes_are_there_once()
    {
        _way.LoseNext(FaultyTransport.IsAppend);
        _way.LoseNext(FaultyTransport.IsAppend);
        Assert.Equal(DeviceAppendResult.Appended, await Append(_device, 3, 4, 5));
        Assert.Equal([1, 2, 3, 4, 5], await ReadAll());
    }

    [ConditionalFact]
    public async Task An_append_whose_answer_got_lost_is_unknown_and_no_conflict_and_its_repetition_is_one()
    {
        _way.LoseNextAnswer(FaultyTransport.IsAppend);
        var unknown = await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, 4, 5));
        Assert.Contains(Segment, unknown.Message, StringComparison.Ordinal);
        Assert.Equal([1, 2, 3, 4, 5], await ReadAll());
        Assert.Equal(DeviceAppendResult.Conflict, await Append(_device, 3, 4, 5));
        Assert.Equal([1, 2, 3, 4, 5], await ReadAll());
    }

    [ConditionalFact]
    public async Task A_rival_that_was_faster_than_the_repetition_is_a_conflict()
    {
        _way.Next(FaultyTransport.IsAppend, async (_, _) =>
        {
            Assert.Equal(DeviceAppendResult.Appended, await Append(_rival, 3, 9));
            throw new IOException("The request was lost (test).");
        });
        Assert.Equal(DeviceAppendResult.Conflict, await Append(_device, 3, 4, 5));
        Assert.Equal([1, 2, 3, 9], await ReadAll());
    }

    [ConditionalFact]
    public async Task A_rival_that_went_on_behind_an_append_whose_answer_got_lost_does_not_make_it_a_conflict()
    {
        _way.Next(FaultyTransport.IsAppend, async (_, send) =>
        {
            await send();
            Assert.Equal(DeviceAppendResult.Appended, await Append(_rival, 5, 9));
            throw new IOException("The answer was lost (test).");
        });
        await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, 4, 5));
        Assert.Equal([1, 2, 3, 4, 5, 9], await ReadAll());
    }

    [ConditionalFact]
    public async Task A_repetition_behind_the_end_is_unknown_because_the_lost_request_may_still_fit_later()
    {
        _way.LoseNext(FaultyTransport.IsAppend);
        await Assert.ThrowsAsync<IOException>(() => Append(_device, 7, 4));
        Assert.Equal(DeviceAppendResult.Conflict, await Append(_device, 7, 4));
    }

    [ConditionalFact]
    public async Task An_append_that_never_gets_through_fails_after_its_last_repetition_and_goes_through_later()
    {
        for (var i = 0; i < 4; i++) _way.LoseNext(FaultyTransport.IsAppend);
        await Assert.ThrowsAsync<IOException>(() => Append(_device, 3, 4));
        Assert.Equal(5, _way.Requests.Count(request => request.Contains("appendblock", StringComparison.Ordinal)));
        Assert.Equal(DeviceAppendResult.Appended, await Append(_device, 3, 4));
    }

    [ConditionalFact]
    public async Task An_append_that_is_cancelled_under_way_ends_at_once()
    {
        var arrived = new TaskCompletionSource();
        using var cancel = new CancellationTokenSource();
        _way.Next(FaultyTransport.IsAppend, async (message, _) =>
        {
            arrived.SetResult();
            var cancelled = new TaskCompletionSource();
            await using (message.CancellationToken.Register(() => cancelled.SetCanceled(message.CancellationToken)))
                await cancelled.Task;
        });
        var append = _device.AppendAsync(Segment, 3, new byte[] { 4 }, cancel.Token).AsTask();
        await arrived.Task;
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => append);
        Assert.Equal(DeviceAppendResult.Appended, await Append(_device, 3, 5));
    }

    [ConditionalFact]
    public async Task A_segment_whose_creation_was_repeated_late_is_not_emptied()
    {
        const string next = "p00000/00000000000000000001.log";
        _way.Next(FaultyTransport.IsPut, async (_, send) =>
        {
            await send();
            Assert.Equal(DeviceAppendResult.Appended, await _rival.AppendAsync(next, 0, new byte[] { 7, 8 }, default));
            throw new IOException("The answer was lost (test).");
        });
        await _device.CreateAsync(next, default);
        Assert.Equal(2, await _device.GetLengthAsync(next, default));
    }

    [ConditionalFact]
    public async Task A_read_that_breaks_goes_on_where_it_was_in_a_segment_that_has_grown()
    {
        var bytes = Enumerable.Range(0, 200_000).Select(i => (byte)(i % 241)).ToArray();
        await Append(_device, 3, bytes);
        var breaks = 0;
        for (var i = 0; i < 3; i++)
        {
            _way.Next(FaultyTransport.IsRead, async (message, send) =>
            {
                // To read on in what it began to read, the client asks once more, and is told that this has changed.
                await send();
                if (message.Response.Status >= 300) return;
                message.Response.ContentStream = new BreakingStream(message.Response.ContentStream!, 50_000, async () =>
                {
                    breaks++;
                    Assert.Equal(
                        DeviceAppendResult.Appended,
                        await Append(_rival, await _rival.GetLengthAsync(Segment, default), 5));
                });
            });
        }

        var buffer = new byte[200_000];
        Assert.Equal(200_000, await _device.ReadAsync(Segment, 3, buffer, default));
        Assert.Equal(bytes, buffer);
        Assert.Equal(2, breaks);
    }

    private static async Task<DeviceAppendResult> Append(ILogDevice device, long offset, params byte[] bytes) =>
        await device.AppendAsync(Segment, offset, bytes, default);

    private async Task<byte[]> ReadAll()
    {
        var buffer = new byte[1_000];
        return buffer[..await _rival.ReadAsync(Segment, 0, buffer, default)];
    }
}
