using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace SiloHosting.Tests;

/// <summary>What answers should be.</summary>
internal static class Answers
{
    /// <summary>It was done.</summary>
    /// <returns>The answer.</returns>
    public static async Task<JsonNode> DoneAsync(this Task<HttpResponseMessage> call)
    {
        using var answer = await call;
        Assert.True(answer.IsSuccessStatusCode, $"{answer.StatusCode}: {await answer.Content.ReadAsStringAsync()}");
        return (await answer.Content.ReadFromJsonAsync<JsonNode>())!;
    }

    /// <summary>It was refused, and why is said.</summary>
    public static async Task RefusedAsync(this Task<HttpResponseMessage> call, HttpStatusCode status, string reason)
    {
        using var answer = await call;
        var said = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.StatusCode == status, $"{answer.StatusCode}: {said}");
        Assert.Contains(reason, (string)JsonNode.Parse(said)!["error"]!, StringComparison.Ordinal);
    }
}
