using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Polyjuice.LiveView.Access;
using Polyjuice.LiveView.Policies;
using Polyjuice.Policies;

namespace Polyjuice.LiveView.Api;

/// <summary>The policies: the one in force, earlier ones, what differs, and the way back.</summary>
internal sealed class PolicyEndpoints(LiveViewServices services)
{
    private const int ReasonMax = 500;

    /// <summary>What the table in force is compared with in sentences.</summary>
    private static readonly PolicyDocument[] _compared =
        [BuiltinPolicies.Get("ic3").Document, BuiltinPolicies.Get("occ").Document];

    /// <summary>The table of the policy that this process runs under.</summary>
    public async Task GetRunningAsync(HttpContext context)
    {
        var running = await services.Actions.GetRunningAsync(context.RequestAborted).ConfigureAwait(false);
        await AnswerAsync(context, running.Version, running.Note).ConfigureAwait(false);
    }

    /// <summary>The table of the version that the path names.</summary>
    public async Task GetAsync(HttpContext context)
    {
        var history = await services.Actions.GetHistoryAsync(context.RequestAborted).ConfigureAwait(false);
        if (await FindAsync(
            context, history, (string?)context.Request.RouteValues["version"]).ConfigureAwait(false) is { } version)
            await AnswerAsync(context, version, "").ConfigureAwait(false);
    }

    /// <summary>The history, the latest first.</summary>
    public async Task ListAsync(HttpContext context)
    {
        var history = await services.Actions.GetHistoryAsync(context.RequestAborted).ConfigureAwait(false);
        await context.Response.WriteAsJsonAsync(
            history.Reverse().Select(version => Describe(version, history)),
            JsonSerializerOptions.Web,
            context.RequestAborted)
            .ConfigureAwait(false);
    }

    /// <summary>What differs between the versions <c>left</c> and <c>right</c> of the query.</summary>
    public async Task DiffAsync(HttpContext context)
    {
        var history = await services.Actions.GetHistoryAsync(context.RequestAborted).ConfigureAwait(false);
        if (await FindAsync(context, history, context.Request.Query["left"]).ConfigureAwait(false) is not { } left)
            return;
        if (await FindAsync(context, history, context.Request.Query["right"]).ConfigureAwait(false) is not { } right)
            return;
        if (services.Inspection.Describe(left.Policy) is not { } one
            || services.Inspection.Describe(right.Policy) is not { } other)
        {
            await new Refusal(
                StatusCodes.Status409Conflict,
                "One of them is not made of a policy document, so there is nothing to compare.").WriteAsync(
                context)
                .ConfigureAwait(false);
            return;
        }

        await context.Response.WriteAsJsonAsync(
            new DiffAnswer(Describe(left, history), Describe(right, history), PolicyDiff.Compare(one, other)),
            JsonSerializerOptions.Web,
            context.RequestAborted)
            .ConfigureAwait(false);
    }

    /// <summary>Puts an earlier policy in force again.</summary>
    public async Task RollBackAsync(HttpContext context)
    {
        if (ActionRule.Check(context, services.Options) is { } refusal)
        {
            await refusal.WriteAsync(context).ConfigureAwait(false);
            return;
        }

        try
        {
            var request = await context.Request.ReadFromJsonAsync<RollbackRequest>(
                JsonSerializerOptions.Web, context.RequestAborted)
                .ConfigureAwait(false);
            if (request is not { To: { } to, From: { } from, Reason: { } reason } || string.IsNullOrWhiteSpace(reason)
                || reason.Length > ReasonMax)
                throw new BadHttpRequestException(
                    $"The body must be {{\"to\": version, \"from\": version in force, \"reason\": text}}, the text of "
                    + $"1 to {ReasonMax} characters.");
            var by = context.User.Identity?.Name is { Length: > 0 } name ? name : "somebody without a name";
            var version = await services.Actions.RollBackAsync(
                new PolicyRollback(to, from, OneLine(reason), OneLine(by)), context.RequestAborted)
                .ConfigureAwait(false);
            await context.Response.WriteAsJsonAsync(
                new VersionAnswer(version.Number, version.Name, version.Since, version.Note, IsInForce: true),
                JsonSerializerOptions.Web, context.RequestAborted)
                .ConfigureAwait(false);
        }
        catch (JsonException)
        {
            await new Refusal(
                StatusCodes.Status400BadRequest,
                "The body is not JSON, or its members are not of the right types.").WriteAsync(
                context)
                .ConfigureAwait(false);
        }
        catch (BadHttpRequestException exception)
        {
            await new Refusal(exception.StatusCode, exception.Message).WriteAsync(context).ConfigureAwait(false);
        }
        catch (PolicyActionException exception)
        {
            await new Refusal(StatusCodes.Status409Conflict, exception.Message).WriteAsync(context)
                .ConfigureAwait(false);
        }
    }

    private Task AnswerAsync(HttpContext context, PolicyVersion version, string note)
    {
        var document = services.Inspection.Describe(version.Policy);
        var unknown = services.Types is { } types ? PolicyTypes.UnknownIn(version.Policy, types) : [];
        var others = _compared.Where(other => other.Name != document?.Name).ToList();
        var answer = new PolicyAnswer(
            version.Number, version.Name, note, document?.Description ?? "", document?.Provenance ?? [], unknown,
            document is null ? null : PolicyGrid.Of(document),
            document is null ? null : PolicyExplanation.Of(document, others));
        return context.Response.WriteAsJsonAsync(answer, JsonSerializerOptions.Web, context.RequestAborted);
    }

    /// <summary>What people write goes into logs, whose lines it must not break.</summary>
    private static string OneLine(string text) =>
        string.Concat(text.Trim().Select(character => char.IsControl(character) ? ' ' : character));

    private static VersionAnswer Describe(PolicyVersion version, IReadOnlyList<PolicyVersion> history) =>
        new(version.Number, version.Name, version.Since, version.Note, version.Number == history[^1].Number);

    private static async Task<PolicyVersion?> FindAsync(
        HttpContext context, IReadOnlyList<PolicyVersion> history, string? text)
    {
        if (!long.TryParse(text, out var number))
        {
            await new Refusal(StatusCodes.Status400BadRequest, "A version is a whole number.").WriteAsync(context)
                .ConfigureAwait(false);
            return null;
        }

        var found = history.FirstOrDefault(version => version.Number == number);
        if (found is null)
            await new Refusal(
                StatusCodes.Status404NotFound,
                $"There is no version {number}; the history has {history[0].Number} to "
                + $"{history[^1].Number}.").WriteAsync(
                context)
                .ConfigureAwait(false);
        return found;
    }
}
