using System.Net;
using Azure;
using Azure.Data.Tables;
using Orleans;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Storage;

namespace Polyjuice.Lab.Tool.Processes;

/// <summary>
/// Grain states as rows of an Azure table, for Orleans' own transactions: a row is replaced only if it is the one that
/// was read. Orleans' package for that wants another Azure.Storage.Blobs than the rest of the solution.
/// </summary>
internal sealed class TableGrainStorage(TableClient table, Serializer serializer) : IGrainStorage
{
    /// <summary>The table.</summary>
    public const string Table = "grains";

    private const string Data = nameof(Data);
    private readonly Lazy<Task> _created = new(() => table.CreateIfNotExistsAsync());

    /// <inheritdoc/>
    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await _created.Value;
        var row = await table.GetEntityIfExistsAsync<TableEntity>(KeyOf(grainId), stateName);
        grainState.RecordExists = row.HasValue;
        grainState.ETag = row.HasValue ? row.Value!.ETag.ToString() : null;
        grainState.State = row.HasValue
            ? serializer.Deserialize<T>(row.Value!.GetBinary(Data))
            : Activator.CreateInstance<T>();
    }

    /// <inheritdoc/>
    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await _created.Value;
        var row = new TableEntity(KeyOf(grainId), stateName) { [Data] = serializer.SerializeToArray(grainState.State) };
        try
        {
            var answer = grainState.ETag is { } tag
                ? await table.UpdateEntityAsync(row, new ETag(tag), TableUpdateMode.Replace)
                : await table.AddEntityAsync(row);
            grainState.ETag = answer.Headers.ETag?.ToString();
            grainState.RecordExists = true;
        }
        catch (RequestFailedException exception)
            when (exception.Status is (int)HttpStatusCode.PreconditionFailed or (int)HttpStatusCode.Conflict)
        {
            throw new InconsistentStateException(
                $"{grainId}/{stateName} has been written by somebody else.", "", grainState.ETag ?? "", exception);
        }
    }

    /// <inheritdoc/>
    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState)
    {
        await _created.Value;
        if (grainState.ETag is { } tag) await table.DeleteEntityAsync(KeyOf(grainId), stateName, new ETag(tag));
        (grainState.ETag, grainState.RecordExists, grainState.State) = (null, false, Activator.CreateInstance<T>());
    }

    // A slash may be no part of a key.
    private static string KeyOf(GrainId grain) => grain.ToString().Replace('/', '+');
}
