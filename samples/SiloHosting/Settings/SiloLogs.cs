namespace SiloHosting.Settings;

/// <summary>Where transaction logs are.</summary>
public enum SiloLogs
{
    /// <summary>In memory: what was committed ends with the process. For tries and tests, with one silo.</summary>
    Memory,

    /// <summary>In local files, of one silo at a time; the section <c>FileLog</c> has the options.</summary>
    Files,

    /// <summary>In Azure Storage, or in Azurite; the section <c>AzureBlobLog</c> has the options.</summary>
    AzureBlobs,
}
