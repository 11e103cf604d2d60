using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace Polyjuice.LiveView.Api;

/// <summary>Server-sent events: each follower is told of each sample, until it goes or the application stops.</summary>
/// <param name="services">What is told.</param>
/// <param name="stopping">The application stops.</param>
internal sealed class EventStreams(LiveViewServices services, CancellationToken stopping)
{
    /// <summary>The heat map of an event is over so many samples.</summary>
    public const int WaitSamples = 60;

    private int _open;

    /// <summary>Follows until the end.</summary>
    public async Task FollowAsync(HttpContext context)
    {
        if (Interlocked.Increment(ref _open) > services.Options.EventStreamsMax)
        {
            Interlocked.Decrement(ref _open);
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            context.Response.Headers.RetryAfter = "10";
            await context.Response.WriteAsJsonAsync(
                new
                {
                    error = $"{services.Options.EventStreamsMax} pages follow already (LiveViewOptions.EventStreamsMax)."
                },
                context.RequestAborted)
                .ConfigureAwait(false);
            return;
        }

        using var ending = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, stopping);
        try
        {
            context.Response.ContentType = "text/event-stream";

            // A browser that was cut off says which one it has seen.
            var seen = long.TryParse(context.Request.Headers["Last-Event-ID"], out var last)
                || long.TryParse(context.Request.Query["after"], out last)
                ? last
                : services.History.LatestNumber;
            // A number of another process's life would be waited for.
            seen = Math.Min(seen, services.History.LatestNumber);
            await context.Response.StartAsync(ending.Token).ConfigureAwait(false);
            while (true)
            {
                await services.History.WaitAsync(seen, ending.Token).ConfigureAwait(false);
                var samples = services.History.After(seen);
                seen = samples[^1].Number;
                var data = JsonSerializer.Serialize(
                    new EventAnswer(samples, services.WaitsOver(WaitSamples), services.Conflicts.Look()),
                    JsonSerializerOptions.Web);
                await context.Response.WriteAsync($"id: {seen}\ndata: {data}\n\n", ending.Token).ConfigureAwait(false);
                await context.Response.Body.FlushAsync(ending.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (ending.IsCancellationRequested)
        {
            // The page was closed, or the application stops.
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }
}
