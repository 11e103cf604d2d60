using System.Net;
using System.Net.Http.Json;

namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>
/// Calls silos as their service does: each call goes to another one of those that are endpoints. Repeats nothing.
/// </summary>
/// <param name="pods">The service's endpoints are those of them that are.</param>
internal sealed class PodClient(SiloPods pods) : IDisposable
{
    // Longer than a silo waits for an answer.
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromMinutes(3) };
    private int _next;

    /// <summary>Makes a call.</summary>
    /// <returns>Its status and what was answered.</returns>
    public async Task<(HttpStatusCode Status, JsonNode? Answer)> CallAsync(
        HttpMethod method, string path, object? body = null)
    {
        using var request = new HttpRequestMessage(method, Uri(path));
        if (body is not null) request.Content = JsonContent.Create(body);
        using var answer = await _http.SendAsync(request);
        var text = await answer.Content.ReadAsStringAsync();
        return (answer.StatusCode, text.Length == 0 ? null : JsonNode.Parse(text));
    }

    /// <summary>Makes a call that is done.</summary>
    /// <returns>What was answered.</returns>
    public async Task<JsonNode> DoAsync(HttpMethod method, string path, object? body = null)
    {
        var (status, answer) = await CallAsync(method, path, body);
        Assert.True(status == HttpStatusCode.OK, $"{method} {path}: {status}: {answer?.ToJsonString()} {pods.Said()}");
        return answer!;
    }

    public void Dispose() => _http.Dispose();

    private string Uri(string path)
    {
        var endpoints = pods.All.Where(pod => pod.IsEndpoint).ToList();
        if (endpoints.Count == 0) throw new InvalidOperationException("The service has no endpoint.");
        var pod = endpoints[(int)((uint)Interlocked.Increment(ref _next) % endpoints.Count)];
        return $"http://127.0.0.1:{pod.HttpPort}{path}";
    }
}
