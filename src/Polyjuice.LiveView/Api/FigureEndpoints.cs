using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Polyjuice.LiveView.Access;
using Polyjuice.LiveView.Measuring;

namespace Polyjuice.LiveView.Api;

/// <summary>What is measured.</summary>
internal sealed class FigureEndpoints(LiveViewServices services)
{
    /// <summary>The version of the answers' format.</summary>
    public const int Schema = 1;

    /// <summary>Whose figures they are.</summary>
    public static string Process { get; } = $"{Environment.MachineName}, process {Environment.ProcessId}";

    /// <summary>Who looks, and may do what.</summary>
    public async Task StatusAsync(HttpContext context)
    {
        var history = await services.Actions.GetHistoryAsync(context.RequestAborted).ConfigureAwait(false);
        var mayAct = services.Options.AuthorizationPolicy is not null;
        await WriteAsync(
            context,
            new StatusAnswer(
                Schema, services.Options.Title, Process, mayAct, mayAct ? "" : ActionRule.ReadOnly, history[^1].Number,
                services.Training is not null))
            .ConfigureAwait(false);
    }

    /// <summary>The last ten minutes, or what came after the sample <c>after</c> of the query.</summary>
    public Task HistoryAsync(HttpContext context) =>
        WriteAsync(
            context, services.History.After(long.TryParse(context.Request.Query["after"], out var after) ? after : 0));

    /// <summary>Waits by site over the last <c>seconds</c> of the query; 60 by default, 1 to 600.</summary>
    public Task WaitsAsync(HttpContext context)
    {
        var text = context.Request.Query["seconds"].ToString();
        var samples = EventStreams.WaitSamples;
        if (text.Length > 0 && (!int.TryParse(text, out samples) || samples is < 1 or > SampleHistory.Max))
            return new Refusal(
                StatusCodes.Status400BadRequest,
                $"\"seconds\" is a whole number from 1 to {SampleHistory.Max}.").WriteAsync(
                context);
        return WriteAsync(context, services.WaitsOver(samples));
    }

    /// <summary>The hottest grains.</summary>
    public Task GrainsAsync(HttpContext context) => WriteAsync(context, services.Conflicts.Look());

    /// <summary>How training goes; nothing where nobody trains.</summary>
    public Task TrainingAsync(HttpContext context) => WriteAsync(context, services.Training?.Current);

    private static Task WriteAsync<T>(HttpContext context, T answer) =>
        context.Response.WriteAsJsonAsync(answer, JsonSerializerOptions.Web, context.RequestAborted);
}
