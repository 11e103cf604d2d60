using System.Net;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>
/// What a put answers when answers get lost, or others put the same name: exactly one of several is kept, and it knows.
/// </summary>
[RequiresAzurite]
[Collection(AzuriteFixture.Name)]
public sealed class PutTests(AzuriteFixture azurite) : IAsyncLifetime
{
    private const string Name = "p00000/00000000000000000007.checkpoint";
    private const int BlockBytes = 1_000;
    private readonly FaultyTransport _way = new();
    private AzureBlobLogDevice _device = null!;
    private AzureBlobLogDevice _rival = null!;

    public async Task InitializeAsync()
    {
        var options = azurite.NewOptions(client => client.Transport = _way);
        _device = await azurite.OpenAsync(options, new() { BlockBytes = BlockBytes });
        var other = azurite.NewOptions();
        other.ContainerName = options.ContainerName;
        _rival = await azurite.OpenAsync(other, new() { BlockBytes = BlockBytes });
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [ConditionalFact]
    public async Task A_put_whose_answer_got_lost_finds_that_it_was_the_one()
    {
        foreach (var (name, length) in new[] { ("short", 10), ("long", 3_500) })
        {
            foreach (var overwrite in new[] { false, true })
            {
                _way.LoseNextAnswer(request => FaultyTransport.IsPut(request) || FaultyTransport.IsCommit(request));
                Assert.True(await _device.PutAsync($"{name}{overwrite}", Content(1, length), overwrite, default));
                await Expect($"{name}{overwrite}", 1, length);
                _way.LoseNextAnswer(request => FaultyTransport.IsPut(request) || FaultyTransport.IsCommit(request));
                Assert.True(await _device.PutAsync($"{name}{overwrite}", Content(2, length), overwrite: true, default));
                await Expect($"{name}{overwrite}", 2, length);
            }
        }
    }

    [ConditionalFact]
    public async Task A_put_that_came_second_leaves_the_first_and_says_so()
    {
        foreach (var (name, mine, others) in new[]
        {
            ("a", 10, 10), ("b", 3_500, 10), ("c", 10, 3_500), ("d", 3_500, 3_500)
        })
        {
            Assert.False(
                await _device.PutAsync(
                    name, Content(1, mine, () => Rival(name, others, overwrite: false)), overwrite: false, default));
            await Expect(name, 2, others);
        }
    }

    [ConditionalFact]
    public async Task A_put_that_may_overwrite_replaces_what_came_in_between_or_says_that_it_did_not()
    {
        Assert.True(
            await _device.PutAsync(
                Name, Content(1, 10, () => Rival(Name, 10, overwrite: true)), overwrite: true, default));
        await Expect(Name, 1, 10);

        // The other one may throw the blocks of this one away.
        foreach (var others in new[] { 20, 2_500 })
        {
            var exception = await Record.ExceptionAsync(
                async () => await _device.PutAsync(
                    Name, Content(1, 3_500, () => Rival(Name, others, overwrite: true)), overwrite: true, default));
            if (exception is null)
            {
                await Expect(Name, 1, 3_500);
                continue;
            }

            Assert.Contains(
                "at the same time", Assert.IsType<IOException>(exception).Message, StringComparison.Ordinal);
            await Expect(Name, 2, others);
        }

        Assert.True(await _device.PutAsync(Name, Content(1, 3_500), overwrite: true, default));
        await Expect(Name, 1, 3_500);
    }

    [ConditionalFact]
    public async Task A_request_of_a_put_that_arrives_late_does_not_replace_what_came_after_it()
    {
        var first = _way.HoldNext(FaultyTransport.IsPut);
        Assert.True(await _device.PutAsync("generation", Content(1, 10), overwrite: true, default));
        var second = _way.HoldNext(FaultyTransport.IsPut);
        Assert.True(await _device.PutAsync("generation", Content(2, 10), overwrite: true, default));
        Assert.True(await _rival.PutAsync("generation", Content(3, 10), overwrite: true, default));
        Assert.Contains(await first.SendAsync(), new[] { HttpStatusCode.Conflict, HttpStatusCode.PreconditionFailed });
        Assert.Contains(await second.SendAsync(), new[] { HttpStatusCode.Conflict, HttpStatusCode.PreconditionFailed });
        await Expect("generation", 3, 10);
    }

    [ConditionalFact]
    public async Task A_put_whose_answer_got_lost_and_that_was_replaced_meanwhile_is_unknown()
    {
        _way.Next(FaultyTransport.IsPut, async (_, send) =>
        {
            await send();
            await Rival(Name, 10, overwrite: true);
            throw new IOException("The answer was lost (test).");
        });
        await Assert.ThrowsAsync<IOException>(
            async () => await _device.PutAsync(Name, Content(1, 10), overwrite: false, default));
        await Expect(Name, 2, 10);
    }

    [ConditionalFact]
    public async Task Many_long_puts_at_once_leave_exactly_one()
    {
        var results = await Task.WhenAll(
            Enumerable.Range(0, 6)
                .Select(
                    async i => await (i % 2 == 0 ? _device : _rival).PutAsync(
                        Name, Content((byte)i, 2_500 + i), overwrite: false, default)));
        var winner = Array.IndexOf(results, true);
        Assert.Single(results, true);
        await Expect(Name, (byte)winner, 2_500 + winner);
    }

    private async Task Rival(string name, int length, bool overwrite) =>
        Assert.True(await _rival.PutAsync(name, Content(2, length), overwrite, default));

    private async Task Expect(string name, byte value, int length)
    {
        var buffer = new byte[length + 1];
        Assert.Equal(length, await _rival.ReadAsync(name, 0, buffer, default));
        Assert.All(buffer[..length], actual => Assert.Equal(value, actual));
    }

    private static async IAsyncEnumerable<ReadOnlyMemory<byte>> Content(
        byte value, int length, Func<Task>? atEnd = null)
    {
        for (var done = 0; done < length; done += 400)
            yield return Enumerable.Repeat(value, Math.Min(400, length - done)).ToArray();
        if (atEnd is not null) await atEnd();
    }
}
